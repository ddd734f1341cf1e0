import { isFine } from '../app/installing.ts';
import { openLiveSettings } from '../app/settings.ts';
import { failureOf, outcomeOf } from '../app/written-down.ts';
import { loadConfig } from '../config/load.ts';
import { installStore } from './install-store.ts';
import { planText, sectionText } from './install-text.ts';
import { findDesk } from './setup/desk.ts';
import { type Section, type ServiceFlags, setUpService } from './setup/service.ts';
import { whoAmI } from './who-am-i.ts';

export interface RunFlags extends ServiceFlags {
  config?: string;
  json: boolean;
  check: boolean;
}

/**
 * Installs the service's side and then the stores, all or one; or only looks. What is to be done is shown before it is.
 * `ready` is false while something keeps a store from being invoiced. Throws ConfigError, LedgerError and ShopError.
 */
export async function install(flags: RunFlags): Promise<{ text: string; ready: boolean }> {
  const { sections, stores: ids } = await installService(flags);
  const { json, check, config } = flags;
  const serviceReady = sections.every(({ items }) => items.every(isFine));
  const texts = sections.map(sectionText);
  if (!json) process.stdout.write(`${texts.splice(0).join('\n')}\n`);
  const stores = [];
  for (const store of ids) {
    const asked = { store, json, ...(config === undefined ? {} : { config }) };
    const found = await installStore(asked, check ? 'check' : 'apply');
    stores.push(found);
    if (!json) process.stdout.write(`${found.text}\n`);
  }
  const ready = serviceReady && stores.every((one) => one.ready);
  if (!json) return { text: '', ready };
  const reports = stores.map(({ report }) => report);
  const found =
    flags.store === undefined
      ? { ready, service: sections, stores: reports }
      : { ...reports[0], ready, service: sections };
  return { text: `${JSON.stringify(found, null, 2)}\n`, ready };
}

/** Written down too: it hands over a signature, and where it is said so production begins. */
async function carriedOut(
  parts: Parameters<typeof setUpService>[0],
  asked: ServiceFlags,
): Promise<Section[]> {
  const { production, replace, resend, store } = asked;
  const deed = { who: whoAmI(), subject: store ?? null };
  const flags = { production, replace, resend };
  try {
    const sections = await setUpService(parts, asked, true);
    const { outcome, facts } = outcomeOf(sections.flatMap(({ items }) => items));
    await parts.desk.writeDown({ ...deed, outcome, facts: { ...flags, ...facts } });
    return sections;
  } catch (error) {
    const { outcome, facts } = failureOf(error);
    await parts.desk.writeDown({ ...deed, outcome, facts: { ...flags, ...facts } });
    throw error;
  }
}

async function installService(flags: RunFlags): Promise<{ sections: Section[]; stores: string[] }> {
  const { config: path, json, check, ...asked } = flags;
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const live = await openLiveSettings(config);
  const desk = await findDesk(config, live);
  try {
    const parts = { config, live, desk };
    const plan = await setUpService(parts, asked, false);
    if (!check && !json)
      for (const { title, items } of plan) process.stdout.write(planText(`(${title})`, items));
    const sections = check ? plan : await carriedOut(parts, asked);
    if (asked.store !== undefined) return { sections, stores: [asked.store] };
    return { sections, stores: (await desk.health()).stores };
  } finally {
    await desk.close();
  }
}
