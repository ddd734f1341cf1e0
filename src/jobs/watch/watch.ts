import type { Alert } from '../../domain/alerts.ts';
import { ecuadorDay } from '../../domain/calendar.ts';
import { IssuerRecord, issuersUnder } from '../../domain/issuer-record.ts';
import { owner } from '../../domain/scope.ts';
import type { Account } from '../../domain/settings.ts';
import { isShadowShop } from '../../domain/shadow.ts';
import { failedLists, inSentence, listLosses, listNames, type SweepList } from '../../domain/sweep-lists.ts';
import type { OpenOfShop } from '../../ledger/open-documents.ts';
import { cheapestRecharge, documentsOf } from '../../service/tariff.ts';
import { keepOnly } from '../alerts.ts';
import type { StepDeps } from '../deps.ts';
import { moveFirstStarts } from '../first-start.ts';
import { seriesAlert } from '../series-stop.ts';
import { watchFailing } from './failing.ts';

/**
 * What no job meets on its way, in turns: shops nobody can search, stores that left the config with documents on their way, our
 * clock; every minute what the ledger alone tells, jobs that keep failing and series without numbers; twice a day credits and
 * electronic signatures that will not last. In real time: what is looked at is the world's, not an order's.
 */
export function openWatches(
  deps: StepDeps,
  /** The service lives in the same time as we do: not under a test clock. */
  { comparesClock }: { comparesClock: boolean },
) {
  const freshness = openFreshnessWatch(deps);
  const absentStores = openAbsentStoreWatch(deps);
  return {
    async shops(): Promise<void> {
      if (comparesClock) await watchClock(deps);
      await freshness();
      await absentStores();
      await watchLookUps(deps);
    },
    async ledger(): Promise<void> {
      await watchFailing(deps);
      await watchExhausted(deps);
    },
    async accounts(): Promise<void> {
      await watchCertificates(deps);
      for (const account of deps.accounts.values()) await watchCredits(deps, account);
    },
  };
}

/** What a clock is off by network and seconds alone. */
const toleratedMs = 60_000;
/** From here on the service's signed webhooks are refused (docs/operations.md, `clock`). */
const graveMs = 300_000;

/**
 * Compares our clock with the time the service names with every answer: a first start that our clock put into the future
 * is moved, and people are told of a clock that is minutes off. A service that does not answer says nothing.
 */
export async function watchClock(deps: StepDeps): Promise<void> {
  const { clock, accounts, alerts } = deps;
  const asked = new Set<string>();
  for (const account of accounts.values()) {
    if (asked.has(account.baseUrl)) continue;
    asked.add(account.baseUrl);
    const before = clock.now().getTime();
    const answer = await deps.service(account, null).ping();
    if (answer.kind === 'unknown' || answer.kind === 'throttled' || answer.date === null) continue;
    // Cut to the second.
    const aheadMs = (before + clock.now().getTime()) / 2 - (answer.date.getTime() + 500);
    if (aheadMs >= toleratedMs) await moveFirstStarts(deps, { now: answer.date, aheadMs });
    const subject = account.baseUrl;
    if (Math.abs(aheadMs) < graveMs) await alerts.over({ code: 'clock-differs', subject });
    else
      await alerts.raise({
        code: 'clock-differs',
        subject,
        what: `El reloj con el que se trabaja ${aheadMs > 0 ? 'adelanta' : 'atrasa'} ${Math.round(Math.abs(aheadMs) / 60_000)} minutos frente al del servicio de facturación.`,
        cure: 'Ponga en hora este equipo (o el servidor de PostgreSQL) con NTP: con otro día el servicio no acepta los documentos.',
      });
  }
}

/** So many looks in vain, and at least so long, before a person is told. */
const looks = 6;
const atLeastMs = 3_600_000;

type FreshnessDeps = Pick<StepDeps, 'ledger' | 'clock' | 'alerts' | 'timings' | 'storeOf' | 'shop'>;

/**
 * Warns of shops that could not be searched for a while: what no webhook told stays unknown there. A long way to catch
 * up is no trouble as long as it goes on.
 */
export function openFreshnessWatch({ ledger, clock, alerts, timings, storeOf, shop: shopOf }: FreshnessDeps) {
  const stoodAt = new Map<string, { sweptTo: string; version: number; since: number }>();
  const limit = Math.max(looks * timings.sweep.every, atLeastMs);
  return async (): Promise<void> => {
    const now = clock.now().getTime();
    // Of a shop that does not answer people know already.
    const silent = new Set((await ledger.breakers.list()).map(({ storeId }) => storeId));
    for (const { platform, shop, storeId, sweptTo, version, behind } of await ledger.sweeps.freshness()) {
      const store = storeOf(platform, shop);
      const subject = `${platform} ${shop}`;
      const name = { code: 'sweep-behind', subject };
      const stood = stoodAt.get(subject);
      const failed = failedLists(behind);
      // A run that fails is written down too, and gets the shop no further.
      const still = stood?.sweptTo === sweptTo && (failed.length > 0 || stood.version === version);
      if (!store || !shopOf(store)) {
        await alerts.over(name);
      } else if (!stood || !still) {
        stoodAt.set(subject, { sweptTo, version, since: now });
        // Of a shop seen for the first time nothing is known: another process may have told of it.
        if (stood) await alerts.over(name);
      } else if (now - stood.since >= limit && !silent.has(storeId)) {
        const hours = Math.floor((now - stood.since) / 3_600_000);
        await alerts.raise({
          ...name,
          about: owner.shop({ platform, shop }),
          what: `Hace ${hours === 1 ? 'una hora' : `${hours} horas`} que no se logra ${inVain(storeId, failed)}`,
          cure: 'Revise que la tienda responda y que su acceso siga vigente con «facturapuente install --check».',
        });
      }
    }
  };
}

function inVain(store: string, failed: readonly SweepList[]): string {
  if (failed.length === 0 || failed.includes('changes'))
    return `revisar la tienda ${store}: los pedidos cuyo aviso se perdió no se están facturando.`;
  return `leer ${inSentence(failed, listNames)} de la tienda ${store}: ${inSentence(failed, listLosses)}.`;
}

/** Ends what was told of a store that used up its look-ups of names, once their day is over. */
export async function watchLookUps({
  ledger,
  clock,
  alerts,
}: Pick<StepDeps, 'ledger' | 'clock' | 'alerts'>): Promise<void> {
  const today = ecuadorDay(clock.now());
  await keepOnly({ ledger, alerts }, 'registry-limit', ({ since }) => ecuadorDay(new Date(since)) >= today);
}

const day = 24 * 3_600_000;
const lookBackDays = 14;
/** From here on there is time for a transfer to arrive. */
const warnDays = 10;
/** An account that issues little runs out between two looks all the same. */
const warnCredits = 20;

type CreditDeps = Pick<StepDeps, 'ledger' | 'clock' | 'alerts' | 'service' | 'log'>;

/** Warns of credits that will not last: production documents cost one each (spec, prices). */
export async function watchCredits(deps: CreditDeps, account: Account): Promise<void> {
  const { ledger, clock, alerts } = deps;
  const now = clock.now();
  const issued = await ledger.counts.issued(account.id, new Date(now.getTime() - lookBackDays * day));
  const name = { code: 'credits-low', subject: account.id };
  // Nothing left in production: nothing is consumed, whatever the wallet holds.
  if (issued === 0) return alerts.over(name);
  const balance = await deps.service(account, null).consultarSaldo();
  if (balance.kind !== 'balance') return;
  const { creditos, estadoSaldo } = balance;
  if (creditos === null && estadoSaldo === null) return;
  const perDay = issued / lookBackDays;
  const isLow = estadoSaldo === 'bajo' || estadoSaldo === 'agotado';
  const lasts = creditos === null || (Math.floor(creditos / perDay) >= warnDays && creditos >= warnCredits);
  if (lasts && !isLow) return alerts.over(name);
  const recharge = cheapestRecharge(perDay);
  await alerts.raise({
    ...name,
    about: owner.account(account.id),
    what: `${leftWords(account.id, creditos, perDay)}${isLow ? ` El servicio llama ${estadoSaldo} a su saldo.` : ''}`,
    cure: `Recargue; la recarga que menos le cuesta por documento es la de ${recharge.usd} USD (unos ${documentsOf(recharge)} documentos).`,
  });
}

function leftWords(account: string, creditos: number | null, perDay: number): string {
  if (creditos === null) return `A la cuenta ${account} le quedan pocos créditos.`;
  const days = Math.floor(creditos / perDay);
  return `A la cuenta ${account} le quedan ${creditos} créditos: al ritmo de las últimas dos semanas alcanzan para ${days} ${days === 1 ? 'día' : 'días'}.`;
}

type AbsentDeps = Pick<StepDeps, 'ledger' | 'alerts' | 'storeOf'>;

/**
 * Warns of stores that left the config while documents of theirs are on their way: those wait, and nobody sends them.
 * A store must be missing at two looks of one process: during a deploy the older processes do not know the newer ones'
 * stores for a moment. Over when the store is back or nothing of it is on its way any more.
 */
export function openAbsentStoreWatch({ ledger, alerts, storeOf }: AbsentDeps): () => Promise<void> {
  let before = new Set<string>();
  return async () => {
    const absent = new Map<string, OpenOfShop>();
    // A shadow has no tax value; whoever ends it wants nothing more of its documents.
    for (const one of await ledger.openDocuments.byShop())
      if (!storeOf(one.platform, one.shop) && !isShadowShop(one.shop))
        absent.set(`${one.platform} ${one.shop}`, one);
    for (const [subject, one] of absent) if (before.has(subject)) await alerts.raise(alertOf(subject, one));
    await keepOnly({ ledger, alerts }, 'store-missing', ({ subject }) => absent.has(subject));
    before = new Set(absent.keys());
  };
}

function alertOf(subject: string, { storeId, platform, shop, count }: OpenOfShop): Alert {
  const documents = count === 1 ? 'un comprobante suyo' : `${count} comprobantes suyos`;
  return {
    code: 'store-missing',
    subject,
    about: owner.shop({ platform, shop }),
    what: `La tienda «${storeId}» (${shop}) ya no está en la configuración, con ${documents} en camino: esperan sin enviarse ni consultarse.`,
    cure: 'Devuélvala a la configuración, o regístrela con «store add»: lo que espera sigue solo. Después espere a que termine y quítela.',
  };
}

/** Warns of series that gave their last number while sales wait for one; over when none does any more. */
export async function watchExhausted({ ledger, alerts }: Pick<StepDeps, 'ledger' | 'alerts'>): Promise<void> {
  const lasting = new Set<string>();
  for (const document of await ledger.documents.list({
    states: ['held'],
    code: 'series-exhausted',
    limit: 10_000,
  })) {
    const { subject } = seriesAlert(document);
    if (lasting.has(subject)) continue;
    lasting.add(subject);
    await alerts.raise({
      code: 'series-exhausted',
      subject,
      about: owner.series(document),
      what: document.reason ?? '',
      cure: 'Abra otro punto de emisión en el SRI, escríbalo en series de la configuración y reinicie: las ventas que esperan siguen solas.',
    });
  }
  await keepOnly({ ledger, alerts }, 'series-exhausted', ({ subject }) => lasting.has(subject));
}

const dayMs = 86_400_000;
/** Days before the end at which a person is told; each but the first takes the place of the one before. */
const stages = [60, 30, 7, 1, 0] as const;
type CertificateDeps = Pick<StepDeps, 'ledger' | 'clock' | 'alerts' | 'accounts'>;

/** Warns of electronic signatures that end soon: without one the service signs nothing. Known of those `install` uploaded. */
export async function watchCertificates({ ledger, clock, alerts, accounts }: CertificateDeps): Promise<void> {
  const now = clock.now().getTime();
  for (const name of await ledger.credentials.shops(issuersUnder)) {
    const [account = '', ruc = ''] = name.split(' ');
    const kept = await ledger.credentials.get({ platform: issuersUnder, shop: name });
    const { signature } = IssuerRecord.safeParse(kept?.value).data ?? {};
    if (!signature || !accounts.has(account)) continue;
    const left = (Date.parse(signature.until) - now) / dayMs;
    const stage = stages.findLast((days) => left <= days);
    for (const past of stages) {
      const alert = { code: 'certificate-expiring', subject: `${name} ${past}` };
      if (stage === undefined) await alerts.over(alert);
      // The nearer one says it: nothing was resolved.
      else if (past !== stage) await ledger.alerts.forget(alert);
    }
    if (stage === undefined) continue;
    const until = ecuadorDay(new Date(signature.until));
    await alerts.raise({
      code: 'certificate-expiring',
      subject: `${name} ${stage}`,
      about: owner.issuer(account, ruc),
      what:
        stage === 0
          ? `La firma electrónica de ${signature.owner} (RUC ${ruc}) caducó el ${until}: ninguna factura se puede firmar.`
          : `La firma electrónica de ${signature.owner} (RUC ${ruc}) caduca el ${until}: ${stage === 1 ? 'queda un día' : `quedan menos de ${stage} días`}.`,
      cure: 'Renuévela con su certificadora y suba la nueva con «facturapuente install --signature firma.p12».',
    });
  }
}
