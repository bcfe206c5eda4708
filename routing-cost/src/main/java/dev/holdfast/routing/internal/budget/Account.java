package dev.holdfast.routing.internal.budget;

import java.math.BigDecimal;
import java.time.LocalDate;

/**
 * What one budget has spent for one key on one day. Immutable.
 *
 * @param day the day
 * @param spent what attempts cost, or may have cost
 * @param possible how much of that brought no answer and may have been billed
 * @param reserved what attempts in flight may cost
 */
public record Account(LocalDate day, BigDecimal spent, BigDecimal possible, BigDecimal reserved) {
    static Account begin(LocalDate day) {
        return new Account(day, BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO);
    }

    /** This account, or an empty one on a later day; a clock that was set back brings no day back. */
    Account on(LocalDate today) {
        return today.isAfter(day) ? begin(today) : this;
    }

    boolean holds(BigDecimal amount, BigDecimal limit) {
        return spent.add(reserved).add(amount).compareTo(limit) <= 0;
    }

    Account reserve(BigDecimal amount) {
        return new Account(day, spent, possible, reserved.add(amount));
    }

    Account settle(BigDecimal amount, BigDecimal cost, boolean perhaps) {
        return new Account(day, spent.add(cost), perhaps ? possible.add(cost) : possible, reserved.subtract(amount));
    }
}
