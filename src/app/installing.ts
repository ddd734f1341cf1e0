import { item } from '../domain/checks.ts';
import type { Clock } from '../domain/clock.ts';
import { ConfigError, ShopError } from '../domain/errors.ts';
import type { TaxRule } from '../domain/money-policy.ts';
import type { InstallItem, Installing, InstallRequest, Platform, ShopContext } from '../domain/platform.ts';
import type { Tickets } from '../domain/ports.ts';
import { addressOf, owner, type Settings, type Store, storeOf } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { audited, auditIn, outcomeOf } from '../operations/carry-out.ts';

export interface InstallingDeps {
  settings: Settings;
  tickets: Tickets;
  ledger: Pick<Ledger, 'auditLog' | 'shops'>;
  clock: Clock;
  contextOf(platform: Platform): ShopContext;
  /** False where the shop is held. Throws ShopError. */
  isVerified(store: Store): Promise<boolean>;
  ready(store: Store): Promise<unknown>;
}

export function openInstalling(deps: InstallingDeps): Installing {
  const { settings, tickets, contextOf, isVerified, ready, ledger } = deps;
  const audit = (what: string, who: string | null, id: string) =>
    auditIn(deps, { what, who, subject: id, about: owner.store(id) });
  return {
    async install(id, apply, by) {
      const store = storeOf(settings, id);
      const { platform } = store;
      if (!platform.install) throw nothingToDo(store);
      const request = installRequest(settings, store, { apply, tickets });
      const look = async () => [
        ...((await platform.install?.(request, contextOf(platform))) ?? []),
        ...(await identityItems(ledger, store)),
      ];
      if (!apply) return look();
      const found = await audited(audit('install', by, id), async () => {
        // Nothing is installed in a copy of the shop. A shop that does not answer is reported below.
        request.apply = await isVerified(store).catch((error: unknown) => {
          if (error instanceof ShopError) return true;
          throw error;
        });
        const found = await look();
        return { found, ...outcomeOf(found) };
      });
      if (found.every(isFine)) await ready(store);
      return found;
    },
    async uninstall(id, by) {
      const store = storeOf(settings, id);
      const { platform } = store;
      const { uninstall } = platform;
      if (!uninstall) throw nothingToDo(store);
      const request = installRequest(settings, store, { apply: true, tickets });
      return audited(audit('uninstall', by, id), async () => {
        const found = await uninstall(request, contextOf(platform));
        return { found, ...outcomeOf(found) };
      });
    },
  };
}

async function identityItems(
  { shops }: Pick<Ledger, 'shops'>,
  { id, platform, shop }: Store,
): Promise<InstallItem[]> {
  const key = { platform: platform.name, shop };
  const held = await shops.held(key);
  if (held) {
    const about = { store: id, reason: held.reason, known: held.owner !== null };
    return [item(held.code, 'problem', about)];
  }
  const known = await shops.get(key);
  if (!known?.askedAt) return [];
  if (known.identity === null) return [item('shop-identity', 'warning', { identity: '', why: 'unstated' })];
  const addresses = (await shops.addresses()).filter(
    (one) => one.platform === key.platform && one.shop === shop,
  );
  const names = [...new Set([shop, ...addresses.map(({ address }) => address)])];
  const { identity } = known;
  return names.length === 1
    ? [item('shop-identity', 'ok', { identity })]
    : [item('shop-identity', 'ok', { identity, why: 'addresses', addresses: names })];
}

/** A store that was uninstalled on purpose is only a warning. */
export const isFine = ({ code, state }: Pick<InstallItem, 'code' | 'state'>): boolean =>
  state === 'ok' || (state === 'warning' && code !== 'store-uninstalled');

export function installRequest(
  { publicUrl }: Settings,
  store: Store,
  { apply, tickets }: Pick<InstallRequest, 'apply' | 'tickets'>,
): InstallRequest {
  const { id, app, connection, policy } = store;
  const decidesUntaxed = policy.tax.rules.some(isForAllUntaxed);
  const asked = { id, shop: addressOf(store), app: app?.id ?? null, connection };
  return { store: asked, app: app?.settings ?? null, publicUrl, tickets, decidesUntaxed, apply };
}

/** A rule for single products, kinds of line or sales abroad does not decide about other lines without tax. */
const isForAllUntaxed = ({ when: { untaxed, abroad, ...limits }, means }: TaxRule): boolean =>
  untaxed === true &&
  abroad !== true &&
  means.iva !== undefined &&
  Object.values(limits).every((limit) => limit === undefined);

function nothingToDo({ id, platform }: Store): ConfigError {
  return new ConfigError('not-offered', { why: 'install', platform: platform.title, store: id });
}
