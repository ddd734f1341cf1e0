import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { staleTables } from '../../../mappers/tables/law.ts';
import { unusableRules } from '../../../mappers/tax-rules.ts';
import { userAgent } from '../../app/platforms.ts';
import { openLiveSettings } from '../../app/settings.ts';
import { type Config, openClock } from '../../config/load.ts';
import { failedBy, item, type Looked } from '../../domain/checks.ts';
import { ecuadorDay } from '../../domain/clock.ts';
import { FacturapuenteError, isOutage } from '../../domain/errors.ts';
import { failedLists, inSentence, listLosses, listNames, reconciliationLists } from '../../domain/listing.ts';
import type { InstallItem } from '../../domain/platform.ts';
import type { Store } from '../../domain/settings.ts';
import { shopSilent } from '../../jobs/alerts.ts';
import { type CheckCode, lasting } from '../../messages/checks.ts';
import { jobWords, waitWords } from '../../messages/timeline.ts';
import { askEviction } from '../../queue/redis.ts';
import { overrideItem } from '../../setup/account.ts';
import { deliveriesItem, type LedgerHealth, serverClockItem, statusItem } from '../../setup/health.ts';
import { type Installer, openInstaller } from '../carry-out.ts';
import { type ConfigFlag, readConfig } from '../given.ts';
import { lookInto, type ShownSection, shownSection } from '../install.ts';
import { openClient, type Section, setUpService } from '../install-service.ts';
import { readableError } from '../spanish.ts';

export interface Diagnosis {
  state: 'ok' | 'warning' | 'problem';
  sections: ShownSection[];
}

/** Changes nothing, but creates an empty ledger where there is none. */
export async function diagnose(flags: ConfigFlag): Promise<Diagnosis> {
  const opened = await orItem('config', { of: 'none' }, async () => {
    const config = await readConfig(flags);
    return { config, live: await openLiveSettings(config) };
  });
  if ('code' in opened) return judged([{ title: 'Configuración', items: [opened] }]);
  const { config, live } = opened;
  const { now } = openClock(config.testClock);
  const items = [
    item('config', 'ok', { of: 'file', file: config.file }),
    ...config.overrides.map(overrideItem),
    ...(await publicUrlItems(config.publicUrl)),
    ...secondFactorItems(config),
    ...lawItems(now()),
  ];
  const sections: Section[] = [{ title: 'Configuración', items }];
  const installation = await orItem('ledger', { of: 'any' }, () => openInstaller(config));
  if ('code' in installation) {
    sections.push({ title: 'Instalación', items: [installation] });
    for (const store of live.settings.stores.values()) sections.push(storeSection(store, [], now()));
    return judged(sections);
  }
  try {
    await checkInstallation(installation, sections);
    for (const store of installation.live.settings.stores.values()) {
      const found = await orItem('shop', {}, async () => ({ items: await lookInto(installation, store.id) }));
      sections.push(storeSection(store, 'code' in found ? [found] : found.items, now()));
    }
  } finally {
    await installation.close();
  }
  return judged(sections);
}

const storeSection = (store: Store, items: InstallItem[], now: Date): Section => ({
  title: `Tienda «${store.id}»`,
  items: [...items, ...taxRuleItems(store, now)],
});

async function checkInstallation(installation: Installer, sections: Section[]): Promise<void> {
  const { config, live, setupLedger } = installation;
  const { now } = openClock(config.testClock);
  const asked = await orItem('ledger', { of: 'any' }, async () => ({ health: await setupLedger.health() }));
  if ('code' in asked) return void sections.push({ title: 'Instalación', items: [asked] });
  const { reconciliations, failing, alerts } = ledgerItems(asked.health, config, now());
  sections.push({
    title: 'Instalación',
    items: [
      ...(await machineItems(installation, asked.health)),
      ...(await rightsItems(config)),
      ...reconciliations,
      ...failing,
    ],
  });
  if (alerts.length > 0) sections.push({ title: 'Avisos pendientes', items: alerts });
  for (const account of live.settings.accounts.values()) {
    const service = openClient(account);
    try {
      const items = [await clockItem(account.baseUrl, now), await statusItem(service)];
      sections.push({
        title: `Servicio en ${account.baseUrl}`,
        items: [...items, ...(await deliveriesItem(service))],
      });
    } finally {
      await service.close();
    }
  }
  const flags = { production: false, replace: false, resend: false };
  sections.push(...(await setUpService(installation, flags, false)));
}

async function orItem<C extends CheckCode, T extends object>(
  checked: C,
  params: Looked<C>,
  task: () => Promise<T>,
): Promise<T | InstallItem> {
  try {
    return await task();
  } catch (error) {
    const reported = await readableError(error);
    if (!(reported instanceof FacturapuenteError)) throw reported;
    return failedBy(checked, params, reported);
  }
}

function judged(found: Section[]): Diagnosis {
  const sections = found.map(shownSection);
  const states = new Set(sections.flatMap(({ items }) => items.map(({ state }) => state)));
  if (states.has('problem') || states.has('missing') || states.has('differs'))
    return { state: 'problem', sections };
  return { state: states.has('warning') ? 'warning' : 'ok', sections };
}

const others = 0o077;
/** Many systems let the group write by default. */
const anybodyWrites = 0o002;

/** The ledger's folder has orders, keys and buyers, `.env` secrets, and the config names code to load. Empty on Windows. */
export async function rightsItems({ file, ledger }: Config): Promise<InstallItem[]> {
  if (process.platform === 'win32') return [];
  const of = 'rights';
  const places = [...('directory' in ledger ? [ledger.directory] : []), join(dirname(file), '.env')];
  const open = (await Promise.all(places.map(async (place) => ((await isOpen(place)) ? place : [])))).flat();
  if (await isOpen(file, anybodyWrites)) return [item('ledger', 'problem', { of, why: 'writable', file })];
  if (open.length === 0) return [item('ledger', 'ok', { of })];
  return [item('ledger', 'problem', { of, why: 'readable', places: open })];
}

async function isOpen(place: string, rights = others): Promise<boolean> {
  const found = await stat(place).catch(() => null);
  return found !== null && (found.mode & rights) !== 0;
}

async function machineItems(
  { config }: Pick<Installer, 'config'>,
  { aheadOfServerMs }: Pick<LedgerHealth, 'aheadOfServerMs'>,
): Promise<InstallItem[]> {
  const ready = await readinessOf(config.port);
  const items = [
    item('start', ready ? 'ok' : 'warning', { port: config.port }),
    ledgerItem(config, ready?.ledger),
  ];
  // A test clock differs on purpose.
  if (aheadOfServerMs !== null && config.testClock === undefined)
    items.push(serverClockItem(aheadOfServerMs));
  if (config.redis) items.push(await redisItem(config.redis.url));
  return items;
}

function ledgerItem({ ledger }: Config, readiness: string | undefined): InstallItem {
  const about =
    'directory' in ledger
      ? ({ of: 'directory', directory: ledger.directory } as const)
      : ({ of: 'postgresql' } as const);
  if (readiness === 'no-answer' || readiness === 'read-only')
    return item('ledger', 'problem', { ...about, why: readiness });
  return item('ledger', 'ok', about);
}

/** Finds tables that were last checked against their sources more than a year ago. */
function lawItems(now: Date): InstallItem[] {
  const stale = staleTables(ecuadorDay(now));
  if (stale.length === 0) return [];
  const tables = stale.map(({ title, checkedOn }) => `${title}, ${checkedOn}`);
  return [item('tax-rules', 'warning', { of: 'law', tables })];
}

function taxRuleItems({ id, policy }: Pick<Store, 'id' | 'policy'>, now: Date): InstallItem[] {
  const rules = unusableRules(policy, ecuadorDay(now));
  return rules.length === 0 ? [] : [item('tax-rules', 'warning', { of: 'store', store: id, rules })];
}

function secondFactorItems({ panel, operator }: Pick<Config, 'panel' | 'operator'>): InstallItem[] {
  if (panel.secondFactor !== 'off' || (panel.users.length === 0 && !operator)) return [];
  return [item('second-factor', 'warning', {})];
}

async function redisItem(url: string): Promise<InstallItem> {
  const policy = await askEviction(url);
  if (policy === null) return item('redis', 'problem', { why: 'silent' });
  if (policy === 'noeviction') return item('redis', 'ok', {});
  return item('redis', 'warning', { why: 'policy', policy });
}

/** The alert has the same rule: late after so many missed runs, and at least after so long. */
const looks = 6;
const atLeastMs = 3_600_000;

function ledgerItems(
  { reconciliations, alerts, failing }: LedgerHealth,
  { reconciliation }: Config,
  now: Date,
) {
  const limit = Math.max(looks * reconciliation.everyMinutes * 60_000, atLeastMs);
  // Their alert says why they are not reconciled.
  const unreachable = alerts.flatMap(({ code, subject }) =>
    code === shopSilent.code || code === 'shop-not-connected' ? [subject] : [],
  );
  return {
    reconciliations: reconciliations.map(({ storeId, reconciledTo, behind }) => {
      const age = now.getTime() - Date.parse(reconciledTo);
      const late = reconciliationLists.filter((list) => behind[list]);
      const unfinished = late.length === 0 ? '' : inSentence(late, listNames);
      const about = { store: storeId, until: reconciledTo, unfinished };
      if (age <= limit || unreachable.includes(storeId)) return item('reconciliation-behind', 'ok', about);
      const hours = Math.floor(age / 3_600_000);
      const failed = failedLists(behind);
      if (failed.length === 0 || failed.includes('changes'))
        return item('reconciliation-behind', 'warning', { ...about, why: 'all', hours });
      const unread = { lists: inSentence(failed, listNames), losses: inSentence(failed, listLosses) };
      return item('reconciliation-behind', 'warning', { ...about, why: 'lists', hours, ...unread });
    }),
    failing: failing
      .filter(({ storeId, reason }) => !(unreachable.includes(storeId) && isOutage(reason)))
      .map(({ kind, subject, storeId, failures, since, reason, dueAt }) =>
        item('job-keeps-failing', 'warning', {
          doing: jobWords[kind],
          subject,
          store: storeId,
          failures,
          since,
          dueAt,
          reason: waitWords(reason),
        }),
      ),
    // Failing jobs are listed above.
    alerts: alerts
      .filter(({ code }) => code !== 'job-keeps-failing')
      .map(
        ({ code, what, resolution, since }): InstallItem => ({
          code,
          state: 'warning',
          params: { message: lasting(what, since), fix: resolution },
        }),
      ),
  };
}

const patienceMs = 10_000;
const alive = z.object({ status: z.literal('alive'), proxy: z.literal('untrusted').optional() });
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

async function publicUrlItems(publicUrl: string): Promise<InstallItem[]> {
  const url = publicUrl;
  const answer = await get(`${publicUrl}/healthz`);
  if (answer === null) return [item('public-url', 'problem', { url, why: 'silent' })];
  const { data: said } = alive.safeParse(await answer.json().catch(() => null));
  if (!said) return [item('public-url', 'problem', { url, why: 'other', status: answer.status })];
  const proxy = item('public-url', 'warning', { url, why: 'proxy' });
  return [publicUrlItem(url), ...(said.proxy === 'untrusted' ? [proxy] : [])];
}

function publicUrlItem(url: string): InstallItem {
  if (loopback.test(new URL(url).hostname)) return item('public-url', 'warning', { url, why: 'here' });
  if (!url.startsWith('https:')) return item('public-url', 'warning', { url, why: 'plain' });
  return item('public-url', 'ok', { url });
}

async function readinessOf(port: number): Promise<{ ledger: string; transport: string } | null> {
  const answer = await get(`http://127.0.0.1:${port}/readyz`);
  const shape = z.object({ ledger: z.string(), transport: z.string() });
  return shape.safeParse(await answer?.json().catch(() => null)).data ?? null;
}

/** V2 signatures of the service are valid for so many seconds (spec, "Events"). */
const tolerance = 300;
const suspicious = 60;

/** Uses the Date header of a route without a key. */
async function clockItem(baseUrl: string, now: () => Date): Promise<InstallItem> {
  const of = 'service';
  const answer = await get(`${baseUrl}/api/ping`, 'POST');
  const theirs = Date.parse(answer?.headers.get('date') ?? '');
  await answer?.body?.cancel();
  if (Number.isNaN(theirs)) return item('account-clock', 'warning', { of, why: 'silent' });
  const seconds = Math.round((now().getTime() - theirs) / 1000);
  const apart = Math.abs(seconds);
  if (apart <= suspicious) return item('account-clock', 'ok', { of });
  return item('account-clock', apart > tolerance ? 'problem' : 'warning', {
    of,
    why: of,
    seconds,
    tolerance,
  });
}

async function get(url: string, method = 'GET'): Promise<Response | null> {
  const signal = AbortSignal.timeout(patienceMs);
  const headers = { 'user-agent': userAgent, connection: 'close' };
  return fetch(url, { method, headers, redirect: 'manual', signal }).catch(() => null);
}
