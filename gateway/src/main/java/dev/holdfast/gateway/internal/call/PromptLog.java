package dev.holdfast.gateway.internal.call;

import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prompts and answers in the log, for those who ask for it when they start the gateway. Off, nothing of them is in any log. */
public enum PromptLog {
    /** Nothing is logged. */
    OFF,
    /** What is asked, and what is answered in one piece. */
    ON;

    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.gateway.prompts");

    /**
     * {@return whether it is on}
     *
     * @param on what the configuration says
     */
    public static PromptLog of(boolean on) {
        return on ? ON : OFF;
    }

    /** {@return whether prompts and answers are logged} */
    public boolean isOn() {
        return this == ON;
    }

    void asked(ModelRequest request) {
        if (this == ON) {
            LOG.info("asked {}", request.document().toJson());
        }
    }

    void answered(ModelResponse response) {
        if (this == ON) {
            LOG.info(
                    "call={} answered {}",
                    response.callId(),
                    response.document().toJson());
        }
    }
}
