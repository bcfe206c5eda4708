package dev.holdfast.tests.regions;

import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Weather;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What befalls three regions in five minutes. The fate of a request is a hash of the seed, the region and its number there, so that
 * the same seed gives the same weather.
 */
enum Climate {
    /** Nothing happens. */
    CALM {
        @Override
        Reply fate(Moment moment, Quota quota) {
            return moment.usual(1);
        }
    },
    /** The first region answers nothing at all from the second minute to the end of the fourth. */
    DARK_REGION {
        @Override
        Reply fate(Moment moment, Quota quota) {
            return moment.region() == Region.US && moment.isBetween(60, 240) ? Reply.hang() : moment.usual(1);
        }
    },
    /** The first region is eight times as slow for three minutes, and fails every fifth request. */
    BROWN_OUT {
        @Override
        Reply fate(Moment moment, Quota quota) {
            if (moment.region() != Region.US || !moment.isBetween(60, 240)) {
                return moment.usual(1);
            }
            return moment.chance() < 0.2 ? Reply.status(503) : moment.usual(8);
        }
    },
    /** The first region fails for ten seconds in every twenty. */
    FLAPPING {
        @Override
        Reply fate(Moment moment, Quota quota) {
            boolean down = moment.region() == Region.US && moment.at().toSeconds() / 10 % 2 == 1;
            return down ? Reply.status(503) : moment.usual(1);
        }
    },
    /** The first of the first region's two keys was revoked. */
    BAD_CREDENTIAL {
        @Override
        Reply fate(Moment moment, Quota quota) {
            boolean revoked = moment.region() == Region.US && moment.key().equals(Regions.keyOf(Region.US));
            return revoked ? Reply.error(401, "invalid_request_error", "invalid_api_key", "revoked") : moment.usual(1);
        }

        @Override
        List<String> keys(Region region) {
            return region == Region.US
                    ? List.of(Regions.keyOf(region), Regions.keyOf(region) + "-new")
                    : super.keys(region);
        }
    },
    /** Two regions count one account's requests together: 60 a minute. */
    SHARED_QUOTA {
        @Override
        Reply fate(Moment moment, Quota quota) {
            if (moment.region() == Region.AP) {
                return moment.usual(1);
            }
            return quota.take(moment.at()).map(Reply::rateLimited).orElseGet(() -> moment.usual(1));
        }

        @Override
        List<String> keys(Region region) {
            return region == Region.AP ? super.keys(region) : List.of(Regions.keyOf(Region.US));
        }
    };

    abstract Reply fate(Moment moment, Quota quota);

    List<String> keys(Region region) {
        return List.of(Regions.keyOf(region));
    }

    Weather weather(Region region, long seed, Quota quota) {
        return (request, at) -> fate(new Moment(region, seed, request, at), quota);
    }

    String title() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    /** A request where and when it came. */
    record Moment(Region region, long seed, ProviderRequest request, Duration at) {
        boolean isBetween(int fromSecond, int toSecond) {
            return at.toSeconds() >= fromSecond && at.toSeconds() < toSecond;
        }

        double chance() {
            return draws().nextDouble();
        }

        String key() {
            return request.headers().first("Authorization").orElse("").replace("Bearer ", "");
        }

        private SplittableRandom draws() {
            return new SplittableRandom(seed * 1_000_003 + region.ordinal() * 7_919L + request.number() * 104_729L);
        }

        /** A good answer, after a time that is log-normal around the region's usual one; a probe's at a tenth of it. */
        Reply usual(int factor) {
            SplittableRandom draws = draws();
            draws.nextDouble();
            double normal = StrictMath.sqrt(-2 * StrictMath.log(1 - draws.nextDouble()))
                    * StrictMath.cos(2 * StrictMath.PI * draws.nextDouble());
            double millis = region.usualMillis() * factor * StrictMath.exp(0.35 * normal);
            boolean chat = request.method().equals("POST");
            return Reply.completion("from " + region.endpoint())
                    .withDelay(Duration.ofMillis(Math.round(chat ? millis : millis / 10)));
        }
    }

    /** What one account may ask in each minute of the clock. */
    static final class Quota {
        private static final int EACH_MINUTE = 60;

        private long minute = -1;
        private int used;

        /** How long until there is more, where nothing is left. */
        java.util.Optional<Duration> take(Duration at) {
            if (at.toMinutes() != minute) {
                minute = at.toMinutes();
                used = 0;
            }
            if (used < EACH_MINUTE) {
                used++;
                return java.util.Optional.empty();
            }
            return java.util.Optional.of(Duration.ofMinutes(minute + 1)
                    .minus(at)
                    .plusMillis(999)
                    .truncatedTo(java.time.temporal.ChronoUnit.SECONDS));
        }
    }
}
