package dev.holdfast.tests.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The one seam of time: in these packages every wait, every thread and every look at a clock goes through the Timekeeper,
 * and every random number comes from a generator that was passed in. Only the machine's own Timekeeper does it itself.
 */
final class TimeSeam {
    static final String[] PACKAGES = {
        "dev.holdfast", "dev.holdfast.spi..", "dev.holdfast.core..", "dev.holdfast.cache..", "dev.holdfast.routing.."
    };
    /** The public facades that have a default of their own, for those who bring neither time nor random numbers. */
    static final Set<String> NAME_A_DEFAULT_RANDOM = Set.of(
            "dev.holdfast.core.ClientBuilder",
            "dev.holdfast.core.CircuitBreaker",
            "dev.holdfast.core.Retry",
            "dev.holdfast.cache.ResponseCaching");

    private static final String SEAM = "dev.holdfast.spi.SystemTimekeeper";
    private static final Set<String> FORBIDDEN_TYPES = Set.of(
            "java.util.concurrent.Semaphore",
            "java.util.concurrent.CountDownLatch",
            "java.util.concurrent.CyclicBarrier",
            "java.util.concurrent.Phaser",
            "java.util.concurrent.Exchanger",
            "java.util.concurrent.Executors",
            "java.util.concurrent.CompletionService",
            "java.util.concurrent.FutureTask",
            "java.util.concurrent.ForkJoinTask",
            "java.util.concurrent.StructuredTaskScope",
            "java.util.concurrent.SubmissionPublisher",
            "java.util.Timer",
            "java.util.TimerTask",
            "java.lang.Thread$Builder");
    private static final Set<String> HARMLESS_OF_THREAD = Set.of(
            "currentThread",
            "interrupt",
            "interrupted",
            "isInterrupted",
            "isVirtual",
            "getName",
            "threadId",
            "getStackTrace");
    private static final Set<String> WAITS_OF_FUTURE = Set.of("get", "join");
    private static final Set<String> TIMERS_OF_FUTURE = Set.of("orTimeout", "completeOnTimeout", "delayedExecutor");
    private static final Set<String> MONITOR = Set.of("wait", "notify", "notifyAll");
    private static final Set<String> CLOCK = Set.of("nanoTime", "currentTimeMillis");

    private TimeSeam() {}

    static ArchRule keptBy(String... packages) {
        return judged(packages).should(touch("time, threads and waits by the Timekeeper alone", TimeSeam::breaksTime));
    }

    static ArchRule randomKeptBy(Set<String> exempt, String... packages) {
        return classes()
                .that(resideInAnyPackage(packages))
                .and(DescribedPredicate.describe(
                        "name no default",
                        type -> !exempt.contains(outermost(type).getName())))
                .should(touch("random numbers by the generator they were given", TimeSeam::breaksChance));
    }

    static ArchRule unsynchronized(String... packages) {
        return methods()
                .that()
                .areDeclaredInClassesThat(resideInAnyPackage(packages))
                .should(new ArchCondition<JavaMethod>("not be synchronized") {
                    @Override
                    public void check(JavaMethod method, ConditionEvents events) {
                        if (method.getModifiers().contains(JavaModifier.SYNCHRONIZED)) {
                            events.add(
                                    SimpleConditionEvent.violated(method, method.getFullName() + " is synchronized"));
                        }
                    }
                });
    }

    /** A cache of Caffeine's counts time by our ticker and works on the caller's thread. */
    static ArchRule cachesOnOurTime(String... packages) {
        return classes()
                .that(resideInAnyPackage(packages))
                .should(new ArchCondition<>("give Caffeine an executor and a ticker") {
                    @Override
                    public void check(JavaClass user, ConditionEvents events) {
                        boolean builds = calls(user, "newBuilder");
                        boolean ages = calls(
                                user, "expireAfter", "expireAfterWrite", "expireAfterAccess", "refreshAfterWrite");
                        if (builds && !calls(user, "executor")
                                || ages && !calls(user, "ticker")
                                || calls(user, "scheduler")) {
                            events.add(SimpleConditionEvent.violated(
                                    user, user.getName() + " leaves Caffeine a clock or threads"));
                        }
                    }
                });
    }

    private static com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction judged(String... packages) {
        return classes()
                .that(resideInAnyPackage(packages))
                .and(DescribedPredicate.describe(
                        "are not the seam itself",
                        type -> !outermost(type).getName().equals(SEAM)));
    }

    private static boolean calls(JavaClass user, String... names) {
        return user.getMethodCallsFromSelf().stream()
                .filter(call -> call.getTargetOwner().getName().equals("com.github.benmanes.caffeine.cache.Caffeine"))
                .anyMatch(call -> List.of(names).contains(call.getName()));
    }

    private static ArchCondition<JavaClass> touch(String words, Predicate<Touch> forbidden) {
        return new ArchCondition<>("touch " + words) {
            @Override
            public void check(JavaClass user, ConditionEvents events) {
                touches(user)
                        .filter(forbidden)
                        .forEach(touch -> events.add(SimpleConditionEvent.violated(user, touch.description())));
            }
        };
    }

    private static Stream<Touch> touches(JavaClass user) {
        Stream<Touch> types = user.getDirectDependenciesFromSelf().stream().map(Touch::type);
        Stream<Touch> calls = Stream.concat(
                        user.getCodeUnitCallsFromSelf().stream(), user.getCodeUnitReferencesFromSelf().stream())
                .map(Touch::member);
        return Stream.concat(types, calls);
    }

    private static boolean breaksTime(Touch touch) {
        return touch.member().isEmpty() ? isBlockingType(touch.owner()) : isBlockingMember(touch);
    }

    private static boolean isBlockingType(JavaClass type) {
        return type.getPackageName().equals("java.util.concurrent.locks")
                || FORBIDDEN_TYPES.contains(type.getName())
                || type.isAssignableTo(BlockingQueue.class)
                || type.isAssignableTo(Executor.class);
    }

    private static boolean isBlockingMember(Touch touch) {
        String name = touch.member();
        JavaClass owner = touch.owner();
        return owner.isAssignableTo(Thread.class) && !HARMLESS_OF_THREAD.contains(name)
                || owner.isEquivalentTo(System.class) && CLOCK.contains(name)
                || owner.getPackageName().startsWith("java.time") && readsTheClock(name)
                || owner.isEquivalentTo(java.util.concurrent.TimeUnit.class) && name.startsWith("sleep")
                || owner.isEquivalentTo(java.util.concurrent.TimeUnit.class) && name.startsWith("timed")
                || owner.isAssignableTo(Future.class) && WAITS_OF_FUTURE.contains(name)
                || owner.isAssignableTo(Future.class) && (TIMERS_OF_FUTURE.contains(name) || name.endsWith("Async"))
                || owner.isEquivalentTo(java.util.Date.class)
                        && touch.parameters().isEmpty()
                        && name.equals("<init>")
                || MONITOR.contains(name) && owner.isEquivalentTo(Object.class)
                || name.equals("parallelStream")
                || name.equals("parallel");
    }

    private static boolean readsTheClock(String name) {
        return name.equals("now") || name.startsWith("system") || name.startsWith("tick");
    }

    private static boolean breaksChance(Touch touch) {
        String owner = touch.owner().getName();
        String name = touch.member();
        return owner.equals("java.util.concurrent.ThreadLocalRandom")
                || owner.equals("java.security.SecureRandom")
                || name.equals("random") && (owner.equals("java.lang.Math") || owner.equals("java.lang.StrictMath"))
                || name.equals("randomUUID")
                || name.equals("shuffle") && touch.parameters().size() == 1
                || name.equals("<init>") && touch.parameters().isEmpty() && isGenerator(owner)
                || owner.startsWith("java.util.random.RandomGenerator")
                        && (name.equals("of") || name.equals("getDefault"));
    }

    private static boolean isGenerator(String owner) {
        return owner.equals("java.util.Random") || owner.equals("java.util.SplittableRandom");
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(TimeSeam::outermost).orElse(type);
    }

    /** One use of a type (no member) or of one of its methods and constructors. */
    private record Touch(JavaClass owner, String member, List<JavaClass> parameters, String description) {
        static Touch type(Dependency dependency) {
            return new Touch(
                    dependency.getTargetClass().getBaseComponentType(), "", List.of(), dependency.getDescription());
        }

        static Touch member(JavaCodeUnitAccess<?> access) {
            return new Touch(
                    access.getTargetOwner(),
                    access.getName(),
                    access.getTarget().getRawParameterTypes(),
                    access.getDescription());
        }
    }
}
