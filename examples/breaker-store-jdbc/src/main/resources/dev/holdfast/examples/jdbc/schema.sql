create table if not exists holdfast_breaker (
    name text primary key,
    state text not null,
    generation bigint not null,
    openings integer not null,
    open_until timestamptz not null
);
