(function () {
  "use strict";
  var main = document.querySelector("main");
  function choose(variant) {
    main.classList.toggle("chosen", variant !== null);
    document.querySelectorAll("svg .v").forEach(function (each) {
      each.classList.toggle("on", each.dataset.v === variant);
    });
    document.querySelectorAll("#variants tr[data-v]").forEach(function (row) {
      row.querySelector("button").setAttribute("aria-pressed", String(row.dataset.v === variant));
    });
  }
  document.querySelectorAll("#variants tr[data-v]").forEach(function (row) {
    var button = row.querySelector("button");
    button.addEventListener("click", function () {
      choose(button.getAttribute("aria-pressed") === "true" ? null : row.dataset.v);
    });
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") { choose(null); }
  });
})();
