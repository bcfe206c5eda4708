package dev.holdfast.core.internal.control;

import dev.holdfast.Target;
import dev.holdfast.core.CircuitBreaker.Status;
import dev.holdfast.core.ClientControl;
import dev.holdfast.core.ClientControl.Feature;
import dev.holdfast.core.ClientControlBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The control of a client as a bean of the platform's server. The only class that needs {@code java.management}. */
public final class ControlBean implements ClientControlBean {
    private static final Logger LOG = LoggerFactory.getLogger(ControlBean.class);

    private final ClientControl control;

    private ControlBean(ClientControl control) {
        this.control = control;
    }

    /** Registers the bean. {@return takes it away again} */
    public static Runnable register(ClientControl control, String name) {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            var at = new ObjectName("dev.holdfast:type=ResilientClient,name=" + ObjectName.quote(name));
            server.registerMBean(new StandardMBean(new ControlBean(control), ClientControlBean.class, true), at);
            return () -> unregister(server, at);
        } catch (JMException e) {
            throw new IllegalStateException("client " + name + " could not be registered with JMX: " + e, e);
        }
    }

    private static void unregister(MBeanServer server, ObjectName at) {
        try {
            server.unregisterMBean(at);
        } catch (InstanceNotFoundException e) {
            LOG.debug("{} was unregistered by someone else", at);
        } catch (JMException e) {
            LOG.warn("{} could not be unregistered", at, e);
        }
    }

    @Override
    public Map<String, String> getBreakers() {
        var states = new TreeMap<String, String>();
        control.breakers().forEach(status -> states.put(status.name(), words(status)));
        return states;
    }

    private static String words(Status status) {
        return status.state() + ", failures in a row " + status.failuresInARow() + ", window "
                + status.window().failures() + " failed and " + status.window().slow() + " slow of "
                + status.window().calls() + ", probes " + status.probesOutstanding() + ", transitions "
                + status.transitions() + ", rejected " + status.rejected();
    }

    @Override
    public String[] getOrders() {
        return control.orders().stream()
                .map(order -> order.order() + ", " + order.remaining().toSeconds() + " s left")
                .toArray(String[]::new);
    }

    @Override
    public long getOrdersGiven() {
        return control.ordersGiven();
    }

    @Override
    public int getCallsInFlight() {
        return control.callsInFlight();
    }

    @Override
    public void forceOpen(String model, String endpoint, long seconds) {
        control.forceOpen(new Target(model, endpoint), Duration.ofSeconds(seconds));
    }

    @Override
    public void disable(String model, String endpoint, long seconds) {
        control.disable(new Target(model, endpoint), Duration.ofSeconds(seconds));
    }

    @Override
    public void reset(String model, String endpoint) {
        control.reset(new Target(model, endpoint));
    }

    @Override
    public void isolate(String endpoint, long seconds) {
        control.isolate(endpoint, Duration.ofSeconds(seconds));
    }

    @Override
    public void drain(String endpoint, long seconds) {
        control.drain(endpoint, Duration.ofSeconds(seconds));
    }

    @Override
    public void restore(String endpoint) {
        control.restore(endpoint);
    }

    @Override
    public void switchOff(String feature, long seconds) {
        control.switchOff(feature(feature), Duration.ofSeconds(seconds));
    }

    @Override
    public void switchOn(String feature) {
        control.switchOn(feature(feature));
    }

    private static Feature feature(String name) {
        String wanted = name.strip().toUpperCase(Locale.ROOT);
        return Arrays.stream(Feature.values())
                .filter(each -> each.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "feature: " + name + " (expected: one of " + Arrays.toString(Feature.values()) + ")"));
    }

    @Override
    public void capCalls(int most, long seconds) {
        control.capCalls(most, Duration.ofSeconds(seconds));
    }

    @Override
    public void uncapCalls() {
        control.uncapCalls();
    }
}
