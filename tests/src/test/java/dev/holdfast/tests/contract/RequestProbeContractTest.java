package dev.holdfast.tests.contract;

import dev.holdfast.Headers;
import dev.holdfast.core.internal.probe.RequestProbe;
import dev.holdfast.spi.HealthProbe;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.testkit.HealthProbeContract;

class RequestProbeContractTest extends HealthProbeContract {
    @Override
    protected HealthProbe probe(Timekeeper time) {
        return new RequestProbe("/models", request -> Headers.empty(), time);
    }
}
