package dev.holdfast.tests.peers;

import java.util.concurrent.Callable;

/** A library's way to run guarded work. */
@FunctionalInterface
interface Engine {
    Object call(Callable<Object> work) throws Exception;
}
