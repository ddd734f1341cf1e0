import { type Check, type Finding, type Need, NotTestable, Unseen } from './check.ts';
import { allChecks } from './checks/all.ts';
import { limitChecks } from './checks/limits.ts';
import { type Context, openContext } from './context.ts';
import { breakage, isRecord, openService, type Service } from './service.ts';
import type { Settings } from './settings.ts';
import { openWebhookScene, type WebhookScene } from './webhook-scene.ts';

/** One check and what it found. */
export type Checked = Pick<Check, 'id' | 'section' | 'row' | 'title' | 'inferred'> & { finding: Finding };

/** A whole run; `notes` are sentences a person must read (Spanish). */
export interface Report {
  checked: readonly Checked[];
  requests: number;
  notes: readonly string[];
}

/** Characters of one text in the report; shapes are what a reader of the assumptions came for. */
const longest = { values: 300, shapes: 2_000 };

const leftChanged = 'El webhook de la cuenta no se pudo dejar como estaba: revíselo.';

const wants: Record<Need, { has(settings: Settings): boolean; why: string }> = {
  webhook: {
    has: ({ webhook }) => webhook !== undefined,
    why: 'Cambia el webhook de la cuenta: pídalo con --listen o --webhook-url.',
  },
  receiver: {
    has: ({ webhook }) => webhook !== undefined && 'listen' in webhook,
    why: 'Hace falta recibir entregas: pídalo con --listen, y con --public-url si el servicio está fuera.',
  },
  secondKey: {
    has: ({ secondKey }) => secondKey !== undefined,
    why: 'Hace falta la clave de otra cuenta: --second-key.',
  },
  companies: {
    has: ({ companyRuc }) => companyRuc !== undefined,
    why: 'Crea una empresa en la cuenta: pídalo con --with-companies y --ruc.',
  },
  verification: {
    has: ({ withVerification }) => withVerification,
    why: 'Crear una verificación puede costar dinero: pídalo con --with-verification.',
  },
  rateLimit: {
    has: ({ withRateLimit }) => withRateLimit,
    why: 'Deja la clave sin responder un minuto: pídalo con --with-rate-limit.',
  },
};

export interface Watch {
  /** Asked before every check; true ends the run early. */
  stopped?(): boolean;
  onChecked?(checked: Checked): void;
}

/**
 * Asks a running service everything the specification lets one see, in ambiente 1 only. Throws NotTestable when
 * the service is away, is another program, or does not know the key. The account's webhook is put back in every
 * case.
 */
export async function runConformance(settings: Settings, watch: Watch = {}): Promise<Report> {
  const service = openService(settings);
  const notes: string[] = [];
  const checked: Checked[] = [];
  let webhook: WebhookScene | null = null;
  try {
    await mustAnswer(service);
    webhook = await openWebhookScene(settings, service).catch((error: unknown) => {
      if (!(error instanceof Unseen)) throw error;
      notes.push(`El webhook no se pudo preparar; revise el de la cuenta. ${error.message}`);
      return null;
    });
    const context = openContext(settings, service, webhook);
    const play = async (checks: readonly Check[]) => {
      for (const check of checks) {
        if (watch.stopped?.()) return;
        const { id, section, row, title, inferred } = check;
        const finding = withoutSecrets(
          await look(check, context),
          settings,
          webhook,
          longest[inferred ? 'shapes' : 'values'],
        );
        const one = { id, section, row, title, ...(inferred ? { inferred } : {}), finding };
        checked.push(one);
        watch.onChecked?.(one);
      }
    };
    const putBack = async () => webhook === null || (await webhook.restore().catch(() => false));
    try {
      await play(allChecks());
    } catch (error) {
      const back = await putBack();
      if (back || !(error instanceof NotTestable)) throw error;
      throw new NotTestable(`${error.message} ${leftChanged}`);
    }
    if (!(await putBack())) notes.push(leftChanged);
    // Last of all: for a minute the key is good for nothing else.
    await play(limitChecks);
    if (watch.stopped?.()) notes.push('La revisión se detuvo antes de terminar.');
  } finally {
    await webhook?.close();
    await service.close();
  }
  return { checked, requests: service.sent(), notes };
}

async function look(check: Check, context: Context): Promise<Finding> {
  const want = check.needs && wants[check.needs];
  if (want && !want.has(context.settings)) return { verdict: 'unseen', why: want.why };
  try {
    return await check.run(context);
  } catch (error) {
    if (error instanceof Unseen) return { verdict: 'unseen', why: error.message };
    throw error;
  }
}

/** Something answers there, it is the service, and it knows the key. */
async function mustAnswer(service: Service): Promise<void> {
  const balance = await service
    .burst({ method: 'GET', path: '/api/creditos/saldo' })
    .catch((error: unknown): never => {
      throw new NotTestable(`El servicio no responde: ${breakage(error)}. Revise --base-url.`);
    });
  if (balance.status === 401 || balance.status === 403) {
    throw new NotTestable('El servicio no conoce esa clave de API. Revise --api-key.');
  }
  if (balance.status >= 500) {
    throw new NotTestable(
      `El servicio no está en condiciones: respondió HTTP ${balance.status} a la primera solicitud.`,
    );
  }
  if (balance.status === 404 || (balance.status !== 429 && !isRecord(balance.json))) {
    throw new NotTestable('En esa dirección responde otro programa. Revise --base-url.');
  }
}

/** Whatever a service repeats of keys and secrets stays here; cut only afterwards, so that no part is left. */
function withoutSecrets(
  finding: Finding,
  { apiKey, secondKey }: Settings,
  webhook: WebhookScene | null,
  most: number,
): Finding {
  const secrets = [apiKey, secondKey, webhook?.secret].filter((text): text is string => Boolean(text));
  const clean = (text: unknown) => {
    const shown = secrets.reduce((left, secret) => left.replaceAll(secret, '(oculto)'), String(text));
    return shown.length > most ? `${shown.slice(0, most)}…` : shown;
  };
  return Object.fromEntries(
    Object.entries(finding).map(([name, text]) => [name, name === 'verdict' ? text : clean(text)]),
  ) as Finding;
}
