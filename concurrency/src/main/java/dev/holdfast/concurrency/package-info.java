/**
 * What no interleaving of two threads may do to breakers, limiters and budgets: each class is one question to jcstress, which
 * asks it millions of times under different compilers. A number in a result is what each actor was told; what is not listed is
 * forbidden.
 */
package dev.holdfast.concurrency;
