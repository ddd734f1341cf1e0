import { setTimeout as wait } from 'node:timers/promises';
import { Unseen } from './check.ts';
import { saw } from './expectation.ts';
import { type Delivery, openReceiver, type Receiver } from './receiver.ts';
import { type Answer, isRecord, type Service } from './service.ts';
import type { Settings } from './settings.ts';

/** The account's webhook while the run has it. */
export interface WebhookScene {
  /** What the run saves: the receiver's address from outside, or the URL given. */
  url: string;
  /** The service is on this machine's side: it takes local addresses on purpose. */
  local: boolean;
  receiver: Receiver | null;
  /** The answer to the read before anything was changed, and to the first save (without a secret). */
  before: Answer;
  saved: Answer;
  /** What deliveries are signed with; null when the save did not show it. */
  secret: string | null;
  save(method: 'POST' | 'PUT', body: Record<string, unknown>): Promise<Answer>;
  /** Waits for `count` deliveries that speak of this document; Unseen when they do not come in time. */
  deliveries(claveacceso: string, count?: number): Promise<Delivery[]>;
  /** Puts the account's own webhook back, or switches ours off when there was none; says whether it was taken. */
  restore(): Promise<boolean>;
  close(): Promise<void>;
}

/** Saves the run's webhook without a secret, so that the account's own is kept or one is generated. */
export async function openWebhookScene(
  { webhook, waitSeconds }: Settings,
  service: Service,
): Promise<WebhookScene | null> {
  if (!webhook) return null;
  const receiver = 'listen' in webhook ? await openReceiver(webhook.listen) : null;
  try {
    const own = `http://127.0.0.1:${receiver?.port}/webhook`;
    const url = 'url' in webhook ? webhook.url : (webhook.publicUrl ?? own);
    const save: WebhookScene['save'] = (method, json) => service.ask({ method, path: '/api/webhook', json });
    const before = await service.ask({ method: 'GET', path: '/api/webhook' });
    const switchedOff = textIn(before.json, ['url']) !== null && !wasActive(before);
    // Said only where it is needed: the specification does not show the field.
    const saved = await save('POST', switchedOff ? { url, activo: true } : { url });
    let silent = false;
    const secret = textIn(saved.json, ['secret', 'secreto']);
    return {
      url,
      local: /^(127\.|localhost$|10\.|192\.168\.|\[::1\])/.test(new URL(url).hostname),
      receiver,
      before,
      saved,
      secret,
      save,
      async deliveries(claveacceso, count = 1) {
        if (!receiver) throw new Unseen('Las entregas llegan a otra dirección; use --listen para verlas.');
        if (saved.status >= 400) throw new Unseen(`Guardar el webhook respondió: ${saw(saved)}`);
        // Waited for once, nothing is waited for again as long as nothing at all has come.
        const end = silent && receiver.received.length === 0 ? 0 : Date.now() + waitSeconds * 1000;
        for (;;) {
          const came = receiver.received.filter(({ body }) => body.claveacceso === claveacceso);
          if (came.length >= count) return came;
          if (Date.now() > end) {
            silent = true;
            const what = came.length > 0 ? 'No llegó otro intento' : 'No llegó ninguna entrega';
            throw new Unseen(`${what} en ${waitSeconds} segundos; pida más con --wait.`);
          }
          await wait(20);
        }
      },
      async restore() {
        const previous = textIn(before.json, ['url']);
        const kept = secret === null ? {} : { secret };
        const old = previous ? { url: previous, activo: wasActive(before), ...kept } : { url, activo: false };
        return (await save('PUT', old)).status === 200;
      },
      close: async () => receiver?.close(),
    };
  } catch (error) {
    await receiver?.close();
    throw error;
  }
}

const wasActive = ({ json }: Answer) => !(isRecord(json) && json.activo === false);

/** The first non-empty text under one of these names, at the top or under `data` or `webhook`. */
export function textIn(json: unknown, names: readonly string[]): string | null {
  if (!isRecord(json)) return null;
  for (const place of [json, json.data, json.webhook].filter(isRecord)) {
    for (const name of names) {
      const value = place[name];
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  return null;
}
