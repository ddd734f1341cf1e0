import type { Clock } from '../core/clock.ts';
import type { LegalNames, NamedBy } from '../core/legal-names.ts';
import type { Log } from '../core/log.ts';
import type { LookUpCalls } from '../service/calls/look-ups.ts';

/** Milliseconds of the product's clock, but for `wait`, which is real time. */
export interface RegistryTimes {
  /** How long a plan waits for the registry. What comes later is remembered for the next time. */
  wait: number;
  /** How long an answer counts. The service's own free cache holds for as long. */
  keep: number;
  /** How long a registry that failed, or an empty wallet, is left in peace. */
  rest: number;
}

export const defaultRegistryTimes: RegistryTimes = { wait: 3_000, keep: 86_400_000, rest: 300_000 };

/** More buyers than one day has; the oldest go first. */
const limit = 20_000;

/**
 * Legal names by the service's registry look-ups (spec, "Behavior of the queries routes"), remembered for a day,
 * "there is none" too. Whatever goes wrong is null and nothing else.
 */
export function registryNames(
  calls: LookUpCalls,
  options: { clock: Clock; log: Log; times?: RegistryTimes },
): LegalNames {
  const { clock, log, times = defaultRegistryTimes } = options;
  const kept = new Map<string, { name: string | null; until: number }>();
  let restUntil = 0;

  async function ask({ type, id }: NamedBy): Promise<string | null> {
    const now = clock.now().getTime();
    const answer = type === 'ruc' ? await calls.consultarRuc(id) : await calls.consultarCedula(id);
    if (answer.kind === 'found' || answer.kind === 'not-found' || answer.kind === 'refused') {
      const name = answer.kind === 'found' ? nameIn(answer.facts) : null;
      keep(id, { name, until: now + times.keep });
      return name;
    }
    log.warn(
      { registry: type, answer: answer.kind },
      'The registry could not be asked; no name was filled in',
    );
    restUntil = now + times.rest;
    return null;
  }

  function keep(id: string, entry: { name: string | null; until: number }): void {
    kept.delete(id);
    kept.set(id, entry);
    const [oldest] = kept.keys();
    if (kept.size > limit && oldest !== undefined) kept.delete(oldest);
  }

  return {
    async of(subject) {
      const now = clock.now().getTime();
      const known = kept.get(subject.id);
      if (known && known.until > now) return known.name;
      if (restUntil > now) return null;
      const answered = ask(subject).catch(() => {
        restUntil = now + times.rest;
        return null;
      });
      return within(answered, times.wait);
    },
  };
}

function nameIn(facts: { razonSocial: string | null } | { nombre: string | null }): string | null {
  return ('razonSocial' in facts ? facts.razonSocial : facts.nombre)?.trim() || null;
}

/** The answer, or null when it takes longer. */
async function within<T>(answer: Promise<T>, milliseconds: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
