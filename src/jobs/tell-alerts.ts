import type { AlertNews } from '../domain/alerts.ts';
import { done, type Step } from '../domain/work.ts';
import type { ChannelAlert } from '../ledger/alerts.ts';
import type { StepDeps } from './deps.ts';
import { UnknownHere } from './unknown-here.ts';

const hour = 3_600_000;

/** What lasts is told again after so long, the first, second … time; the last repeats. */
const again = [4 * hour, 24 * hour, 72 * hour, 7 * 24 * hour];

/**
 * Tells one channel (the subject) what it does not know yet: everything that began, lasts too long or ended, in one
 * message. A channel that cannot be reached is tried again later, with whatever came meanwhile.
 */
export function tellAlerts({ ledger, clock, channels }: StepDeps): Step {
  return async (work) => {
    const channel = channels.get(work.subject);
    if (!channel) throw unknownChannel(work.subject);
    const now = clock.now();
    const all = await ledger.alerts.ofChannel(channel.id);
    const begun = all.filter(({ overAt, told }) => overAt === null && told === null);
    const ended = all.filter(({ overAt }) => overAt !== null);
    const lasting = all.filter(({ overAt, told }) => overAt === null && told !== null);
    const due = lasting.filter((alert) => dueAgain(alert) <= now.getTime());
    // What lasts rides along with any message, so that each one is the whole picture.
    const still = begun.length > 0 || due.length > 0 ? lasting : [];
    if (begun.length + due.length + ended.length > 0) {
      await channel.tell({ begun, still, ended } satisfies AlertNews);
      await ledger.alerts.told(channel.id, [...begun, ...due, ...ended], now);
    }
    const next = Math.min(
      ...begun.map(() => now.getTime() + (again[0] ?? hour)),
      ...lasting.map((alert) =>
        due.includes(alert) ? now.getTime() + waitAfter(alert, 1) : dueAgain(alert),
      ),
    );
    if (!Number.isFinite(next)) return done;
    return { kind: 'again', dueAt: new Date(next), reason: 'alerts last; their channel is told again' };
  };
}

/** What nobody was told of stays in the ledger: a channel that comes back hears of it with the next news. */
const unknownChannel = (id: string): Error =>
  new UnknownHere({
    what: 'alert channel',
    name: id,
    fields: () => ({ channel: id }),
    giveUp: async () => true,
  });

const waitAfter = ({ told }: ChannelAlert, more = 0): number =>
  again[Math.min((told?.times ?? 1) - 1 + more, again.length - 1)] ?? hour;

const dueAgain = (alert: ChannelAlert): number =>
  Date.parse(alert.told?.at ?? alert.since) + waitAfter(alert);
