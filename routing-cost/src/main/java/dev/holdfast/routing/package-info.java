/** Routers, the price book, and the ledger of tokens and cost. */
package dev.holdfast.routing;
