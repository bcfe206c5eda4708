package dev.holdfast.tests.contract;

import dev.holdfast.simulation.VirtualTime;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.testkit.TimekeeperContract;
import org.junit.jupiter.api.Nested;

class TimekeeperContractTest {
    @Nested
    class OfTheMachine extends TimekeeperContract {
        @Override
        protected Timekeeper timekeeper() {
            return Timekeeper.system();
        }
    }

    @Nested
    class OfTheSimulation extends TimekeeperContract {
        private final VirtualTime time = new VirtualTime();

        @Override
        protected Timekeeper timekeeper() {
            return time;
        }

        @Override
        protected void run(Timekeeper timekeeper, Body test) throws Exception {
            time.<Exception>run(test::run);
        }
    }
}
