/** The client which keeps calls to large language models working while the providers fail. */
package dev.holdfast.core;
