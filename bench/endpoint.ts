import { type Line, line, rounds, skipped } from './line.ts';
import {
  imageOptions,
  type Loaded,
  load,
  type Served,
  startBaseline,
  startChild,
  startProduct,
} from './processes.ts';
import { hasPostgres, hasRedis, openDatabase, openKeys, redisUrl } from './servers.ts';

interface Visit extends Loaded {
  residentMb: number;
  /** Microseconds of processor for each webhook, warm-up included. */
  cpuUs: number;
}

async function visit(server: Served): Promise<Visit> {
  const before = server.cpuMs();
  const loaded = await load(server.url, 'closed', 3);
  const cpuUs = ((server.cpuMs() - before) * 1000) / (loaded.next - 1);
  const residentMb = server.residentMb();
  await server.stop();
  return { ...loaded, residentMb, cpuUs };
}

const yardstick = async () => visit(await startBaseline());
const onSqlite = async () => visit(await startProduct('web'));
const asImage = async () => visit(await startProduct('web', imageOptions()));

async function onPostgres(): Promise<Visit> {
  const { url, drop } = await openDatabase();
  const seen = await visit(await startProduct('web', { ledger: { url } }));
  await drop();
  return seen;
}

async function naive(): Promise<Visit> {
  const { url, drop } = await openDatabase();
  const keys = openKeys();
  const seen = await visit(await startChild('naive-server.ts', [url, redisUrl, keys.prefix]));
  await keys.close();
  await drop();
  return seen;
}

/** The endpoints and their baselines, measured in turn, each with a fresh process and an empty store. */
export async function endpoint(): Promise<Line[]> {
  const servers = (await hasPostgres()) && (await hasRedis());
  if (!servers) skipped('endpoint on PostgreSQL', 'PostgreSQL or Redis does not answer.');
  const sqlite: SqliteVisit[] = [];
  const postgres: { bare: Visit; ours: Visit; rival: Visit }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bare = await yardstick();
    sqlite.push({ bare, ours: await onSqlite(), image: await asImage() });
    if (servers) postgres.push({ bare, ours: await onPostgres(), rival: await naive() });
  }
  return [...sqliteLines(sqlite), ...(servers ? postgresLines(postgres) : [])];
}

const bareName = 'Express that verifies, parses, validates and stores nothing';

interface SqliteVisit {
  bare: Visit;
  ours: Visit;
  /** The same, started as the image starts it. */
  image: Visit;
}

function sqliteLines(visits: readonly SqliteVisit[]): Line[] {
  return [
    line(
      `endpoint on SQLite / ${bareName}`,
      'ratio',
      visits.map(({ bare, ours }) => ours.perSecond / bare.perSecond),
      { atLeast: 0.6 },
    ),
    line(
      'processor of that handler for a webhook / of the endpoint on SQLite',
      'ratio',
      visits.map(({ bare, ours }) => bare.cpuUs / ours.cpuUs),
    ),
    line(
      'webhooks a second through the endpoint on SQLite, stored durably',
      'per second',
      visits.map(({ ours }) => ours.perSecond),
    ),
    line(
      'memory of the endpoint after that load, as the image starts it',
      'MB',
      visits.map(({ image }) => image.residentMb),
      { below: 250 },
    ),
    line(
      'webhooks a second then',
      'per second',
      visits.map(({ image }) => image.perSecond),
    ),
    line(
      'memory of the endpoint with the options Node has by itself',
      'MB',
      visits.map(({ ours }) => ours.residentMb),
    ),
  ];
}

function postgresLines(visits: readonly { bare: Visit; ours: Visit; rival: Visit }[]): Line[] {
  const rival = 'naive Express handler, one INSERT and one BullMQ job each';
  return [
    line(
      'endpoint on PostgreSQL / the same handler that stores nothing',
      'ratio',
      visits.map(({ bare, ours }) => ours.perSecond / bare.perSecond),
      { atLeast: 0.28 },
    ),
    line(
      `endpoint on PostgreSQL / ${rival}`,
      'ratio',
      visits.map(({ ours, rival }) => ours.perSecond / rival.perSecond),
      { atLeast: 1.5 },
    ),
    line(
      'p99 of the endpoint on PostgreSQL / of that naive handler, 64 at once',
      'ratio',
      visits.map(({ ours, rival }) => ours.p99 / rival.p99),
      { atMost: 1 },
    ),
    line(
      'webhooks a second through the endpoint on PostgreSQL',
      'per second',
      visits.map(({ ours }) => ours.perSecond),
    ),
  ];
}
