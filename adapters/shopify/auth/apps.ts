import type { App } from '../settings.ts';

/** The apps of the config that merchants install themselves, by their ids; parsed by the platform's own schema. */
export function oauthApps(apps: ReadonlyMap<string, unknown>): [string, App][] {
  return ([...apps] as [string, App][]).filter(([, app]) => app.access === 'oauth');
}
