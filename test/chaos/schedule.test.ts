import { describe, expect, it } from 'vitest';
import { disasterNames } from '../../chaos/disasters.ts';
import { type Options, readOptions } from '../../chaos/options.ts';
import { type Happening, makeSchedule } from '../../chaos/schedule.ts';

const options = (more: Partial<Options> = {}): Options => ({
  ...readOptions(['--orders', '300', '--refunds', '75', '--kills', '30', '--seed', '7']),
  ...more,
});

const only = <W extends Happening['what']>(what: W, from: readonly Happening[]) =>
  from.filter((one): one is Happening & { what: W } => one.what === what);

describe('the schedule', () => {
  it('is the same for the same seed, event for event', () => {
    expect(makeSchedule(options())).toEqual(makeSchedule(options()));
    expect(makeSchedule(options()).hash).not.toBe(makeSchedule(options({ seed: 8 })).hash);
  });

  it('holds as many orders, refunds and kills as asked, and midnight in its middle', () => {
    const { happenings, stores } = makeSchedule(options());
    expect(only('order', happenings)).toHaveLength(300);
    expect(only('refund', happenings)).toHaveLength(75);
    expect(only('kill', happenings)).toHaveLength(30);
    expect(stores).toBe(60);
    const at = happenings.findIndex(({ what }) => what === 'midnight');
    expect(at).toBeGreaterThan(happenings.length * 0.4);
    expect(at).toBeLessThan(happenings.length * 0.6);
  });

  it('refunds and repeats only what was sold before', () => {
    const sold = new Set<number>();
    for (const one of makeSchedule(options()).happenings) {
      if (one.what === 'order') sold.add(one.order);
      if (one.what === 'refund' || one.what === 'echo') expect(sold).toContain(one.order);
    }
  });

  it('lets shops hang while hundreds of hints of theirs arrive, and answer again before it ends', () => {
    const { happenings } = makeSchedule(options({ orders: 1_000 }));
    expect(only('hangs', happenings)).toHaveLength(2);
    expect(makeSchedule(options({ orders: 1_000 }))).toEqual(makeSchedule(options({ orders: 1_000 })));
    for (const { store, orders, first } of only('hangs', happenings)) {
      expect(orders).toBeGreaterThanOrEqual(200);
      const from = happenings.findIndex((one) => one.what === 'hangs' && one.first === first);
      const to = happenings.findIndex(
        (one, at) => at > from && one.what === 'answers' && one.store === store,
      );
      expect(to - from).toBeGreaterThan(50);
    }
  });

  it('restarts its own servers, never borrowed ones, and has none to restart when embedded', () => {
    const borrowed = { databaseUrl: 'postgresql://one', redisUrl: 'redis://two' };
    const restarts = (more: Partial<Options>) => only('restart', makeSchedule(options(more)).happenings);
    expect(new Set(restarts({}).map(({ server }) => server))).toEqual(new Set(['postgres', 'redis']));
    expect(restarts({ servers: borrowed })).toEqual([]);
    expect(restarts({ embedded: true })).toEqual([]);
  });
});

describe('the disasters', () => {
  const happenings = (disasters: Options['disasters']) => makeSchedule(options({ disasters })).happenings;
  const trade = (from: readonly Happening[]) =>
    from.filter(({ what }) => what === 'order' || what === 'refund' || what === 'echo' || what === 'kill');

  it.each(disasterNames)('%s adds to what happens anyway, and changes none of it', (name) => {
    const [without, withIt] = [happenings([]), happenings([name])];
    expect(withIt.length).toBeGreaterThan(without.length);
    expect(trade(withIt)).toEqual(trade(without));
    expect(happenings(disasterNames).length - without.length).toBeGreaterThan(withIt.length - without.length);
  });

  it('puts back a shop that sold before its backup, between the two, and afterwards', () => {
    const all = happenings(['restored-shop']);
    const [backup] = only('shop-backup', all) as (Happening & { store: number })[];
    const places = [
      all.findIndex(({ what }) => what === 'shop-backup'),
      all.findIndex(({ what }) => what === 'shop-restored'),
    ];
    const sold = (from: number, to?: number) =>
      only('order', all.slice(from, to)).filter(({ store }) => store === backup?.store).length;
    expect([sold(0, places[0]), sold(...(places as [number, number])), sold(places[1] ?? 0)]).not.toContain(
      0,
    );
  });

  it('spares nothing it copies or edits before it is sold, and heals and ends what it began', () => {
    const sold = new Set<number>();
    const open = new Map<string, unknown>();
    for (const one of happenings(disasterNames)) {
      if (one.what === 'order') sold.add(one.order);
      if (one.what === 'copy') expect(sold).toContain(one.of);
      if (one.what === 'edit' || one.what === 'heal') expect(sold).toContain(one.order);
      if (one.what === 'own-clock') open.set('own-clock', one.ms);
      if (one.what === 'shop-clock') open.set(`shop-clock ${one.store}`, one.ms);
      if (one.what === 'disk' || one.what === 'redis') open.set(one.what, one.full ? 1 : 0);
      if (one.what === 'workers') open.set(one.what, one.gone ? 1 : 0);
    }
    expect([...new Set(open.values())]).toEqual([0]);
  });
});

describe('the command line', () => {
  it('takes some disasters, none, or all that fit', () => {
    const chosen = (...args: string[]) => readOptions(args).disasters;
    expect(chosen('--disasters', 'moved-shop,poisoned-orders')).toEqual(['poisoned-orders', 'moved-shop']);
    expect(chosen('--disasters', 'none')).toEqual([]);
    expect(chosen('--embedded')).toContain('restored-ledger');
    expect(chosen('--embedded')).not.toContain('redis-full');
    expect(chosen()).toContain('workers-gone');
    const borrowed = chosen('--database-url', 'postgresql://one', '--redis-url', 'redis://two');
    expect(borrowed).not.toContain('restored-ledger');
    expect(borrowed).not.toContain('redis-full');
    expect(borrowed).toContain('own-clock');
  });

  it.each<[string[], string]>([
    [['--disasters', 'flood'], '--disasters flood: there are poisoned-orders, '],
    [['--embedded', '--disasters', 'workers-gone'], 'wants Redis and workers; leave --embedded out.'],
    [['--orders', 'many'], '--orders many: give a whole number from 1.'],
    [['--database-url', 'postgresql://one'], '--database-url and --redis-url go together.'],
    [
      ['--embedded', '--database-url', 'postgresql://one', '--redis-url', 'redis://two'],
      '--embedded runs on SQLite; leave the servers out.',
    ],
  ])('refuses %j', (args, sentence) => {
    expect(() => readOptions(args)).toThrow(sentence);
  });
});
