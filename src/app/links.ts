import { openClock } from '../config/clock.ts';
import type { Config } from '../config/load.ts';
import type { Secrets } from '../config/secret.ts';
import { type Links, openLinks } from '../web/links.ts';

/** The signed links of this config. */
export function linksOf(
  { publicUrl, links: { days }, testClock }: Pick<Config, 'publicUrl' | 'links' | 'testClock'>,
  secrets: Pick<Secrets, 'links'>,
): Links {
  return openLinks(
    secrets.links,
    publicUrl,
    days === undefined ? null : { days, clock: openClock(testClock) },
  );
}
