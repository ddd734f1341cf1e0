import { type Html, html } from '../../../../src/domain/text.ts';
import type { DeliveryAttempt } from '../../accounts/accounts.ts';
import { isoInEcuador } from '../../clock.ts';
import { deliveryHeaders } from '../../webhooks/attempt.ts';
import type { Delivery } from '../../webhooks/deliveries.ts';
import type { World } from '../../world.ts';
import * as highlight from './highlight.ts';
import { badge, card, empty, type Form, facts, type View } from './parts.ts';
import { accountName, moment } from './words.ts';

/** A delivery with the attempts still remembered, newest first. */
export interface Tried {
  delivery: Delivery;
  attempts: DeliveryAttempt[];
}

const shownDeliveries = 100;

/** Every delivery on its way or still remembered, the newest first. */
export function triedDeliveries(world: World): Tried[] {
  const attempts = Map.groupBy(
    [...world.accounts.values()].flatMap(({ deliveries }) => deliveries),
    ({ entrega }) => entrega,
  );
  const all = world.deliveries.all().reverse();
  return all.map((delivery) => ({ delivery, attempts: attempts.get(delivery.entrega) ?? [] }));
}

/** True when the receiver has not taken it so far. */
export const isFailing = ({ attempts: [last] }: Tried) => last !== undefined && !last.exito;

/** `/pagina/entregas`: what goes to webhooks, how it was answered, and a button to send it again. */
export function deliveriesView(world: World, form: Form): View {
  const all = triedDeliveries(world);
  const hooks = [...world.accounts.values()].filter(({ webhook }) => webhook?.activo).length;
  const nothing =
    hooks === 0
      ? 'Ninguna cuenta tiene un webhook activo; guárdelo con POST /api/webhook o arranque con --webhook-url.'
      : 'Todavía no se ha entregado nada.';
  const body = html`<div class="head"><h1>Entregas</h1>${form('prueba', html`<button${hooks === 0 && html` disabled`}>Enviar webhook.prueba</button>`)}</div>
<p class="lead">Cada evento se firma y se envía hasta cinco veces: al instante y tras 1, 5, 15 y 60 minutos del reloj del sandbox.</p>
${card('Últimas entregas', all.length === 0 ? empty(nothing) : deliveryList(world, all.slice(0, shownDeliveries), form))}`;
  return { title: 'Entregas', section: '/pagina/entregas', body };
}

/** Deliveries as a list; each opens to its body and its attempts with their headers. */
export function deliveryList(
  world: World,
  all: readonly Tried[],
  form: Form,
  { naming = true }: { naming?: boolean } = {},
): Html {
  return html`<ul class="deliveries">${all.map((one) => item(world, one, form, naming))}</ul>`;
}

function item(world: World, tried: Tried, form: Form, naming: boolean): Html {
  const { attempts, delivery } = tried;
  const { entrega, evento, claveacceso, due, apiKey, raw } = delivery;
  const document = claveacceso === null || !naming ? undefined : world.documents.byKey(claveacceso);
  const replay = html`<button aria-label="Repetir la entrega ${entrega}">Repetir</button>`;
  const next = due !== null && html` · próximo intento ${moment(isoInEcuador(new Date(due)))}`;
  const count = attempts.length === 1 ? '1 intento' : `${attempts.length} intentos`;
  return html`<li id="e-${entrega}" data-row>
<div class="delivery">${outcome(attempts[0])}
<div class="grow"><strong>${evento}</strong> ${document && html`<a href="/pagina/comprobantes/${document.claveacceso}">${document.numero}</a>`}
<span class="under">${naming && `${accountName(world, apiKey)} · `}${count}${attempts[0] && html` · ${moment(attempts[0].enviado_en)}`}${next}</span></div>
${form(`entregas/${entrega}/repetir`, replay)}</div>
<details id="i-${entrega}"><summary>Encabezados, firmas y cuerpo</summary>
${attempts.map((attempt) => attemptDetails(world, delivery, attempt))}
<p class="soft">Cuerpo</p><pre tabindex="0" aria-label="Cuerpo de la entrega"><code>${highlight.json(JSON.parse(raw))}</code></pre></details></li>`;
}

function outcome(attempt: DeliveryAttempt | undefined): Html {
  if (!attempt) return badge('wait', 'Pendiente');
  if (attempt.exito) return badge('ok', String(attempt.estado_http));
  return badge('bad', attempt.estado_http === null ? 'Sin respuesta' : String(attempt.estado_http));
}

function attemptDetails(world: World, delivery: Delivery, attempt: DeliveryAttempt): Html {
  const secret = world.accounts.get(delivery.apiKey)?.webhook?.secret;
  const spoiled = attempt.intento === 1 ? delivery.spoiled?.signature : undefined;
  // An attempt is not kept with its headers; they follow from what is kept, as long as the secret is the same.
  const headers = secret && deliveryHeaders(delivery, secret, new Date(attempt.enviado_en), spoiled);
  const rows = Object.entries(headers || {}).map(
    ([name, value]) => [name, html`<code class="key">${value}</code>`] as const,
  );
  return html`<div class="attempt"><p>${outcome(attempt)} Intento ${attempt.intento} · ${moment(attempt.enviado_en)}${attempt.error && html` · ${attempt.error}`}</p>${facts(rows)}</div>`;
}
