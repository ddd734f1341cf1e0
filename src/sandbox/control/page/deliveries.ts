import type { DeliveryAttempt } from '../../accounts/accounts.ts';
import type { World } from '../../world.ts';
import { type Html, html } from './html.ts';
import { badge, card, empty, type Form, type View } from './parts.ts';
import { accountName, moment } from './words.ts';

/** One X-Service-Delivery with its attempts, newest first. */
interface Delivery {
  apiKey: string;
  entrega: string;
  evento: string;
  claveacceso: string | null;
  attempts: [DeliveryAttempt, ...DeliveryAttempt[]];
}

/** Every delivery still remembered, the one attempted last first. */
export function groupDeliveries(world: World): Delivery[] {
  const all: Delivery[] = [];
  for (const { apiKey, deliveries } of world.accounts.values()) {
    for (const attempts of Map.groupBy(deliveries, ({ entrega }) => entrega).values()) {
      const [last, ...earlier] = attempts;
      if (!last) continue;
      const { entrega, evento, claveacceso } = last;
      all.push({ apiKey, entrega, evento, claveacceso, attempts: [last, ...earlier] });
    }
  }
  return all.sort((a, b) => b.attempts[0].enviado_en.localeCompare(a.attempts[0].enviado_en));
}

/** `/pagina/entregas`: what went to webhooks, how it was answered, and a button to send it again. */
export function deliveriesView(world: World, form: Form): View {
  const all = groupDeliveries(world);
  const hooks = [...world.accounts.values()].filter(({ webhook }) => webhook?.activo).length;
  const nothing =
    hooks === 0
      ? 'Ninguna cuenta tiene un webhook activo; guárdelo con POST /api/webhook o arranque con --webhook-url.'
      : 'Todavía no se ha entregado nada.';
  const body = html`
<h1>Entregas</h1>
<p class="lead">Cada evento se firma y se envía hasta cinco veces: al instante y tras 1, 5, 15 y 60 minutos del reloj del sandbox.</p>
<div class="bar">${form('prueba', html`<button${hooks === 0 && html` disabled`}>Enviar webhook.prueba</button>`)}</div>
${card('Últimas entregas', all.length === 0 ? empty(nothing) : deliveryList(world, all, form))}`;
  return { title: 'Entregas', section: '/pagina/entregas', body };
}

/** Deliveries as a list; each opens to its attempts. */
export function deliveryList(
  world: World,
  all: readonly Delivery[],
  form: Form,
  { naming = true }: { naming?: boolean } = {},
): Html {
  return html`<ul class="deliveries">${all.map((one) => item(world, one, form, naming))}</ul>`;
}

function item(
  world: World,
  { apiKey, entrega, evento, claveacceso, attempts }: Delivery,
  form: Form,
  naming: boolean,
): Html {
  const [last] = attempts;
  const document = claveacceso === null ? undefined : world.documents.byKey(claveacceso);
  const replay = html`<button aria-label="Repetir la entrega ${entrega}">Repetir</button>`;
  return html`<li id="e-${entrega}" data-row>
<div class="delivery">${outcome(last)}
<div class="grow"><strong>${evento}</strong> ${naming && document && html`<a href="/pagina/comprobantes/${document.claveacceso}">${document.numero}</a>`}
<span class="under">${accountName(world, apiKey)} · ${moment(last.enviado_en)}</span></div>
${form(`entregas/${entrega}/repetir`, replay)}</div>
<details id="i-${entrega}"><summary>${attempts.length === 1 ? '1 intento' : `${attempts.length} intentos`} · <code>${entrega}</code></summary>
${attempts.map(attemptDetails)}</details></li>`;
}

function outcome(attempt: DeliveryAttempt): Html {
  if (attempt.exito) return badge('ok', String(attempt.estado_http));
  return badge('bad', attempt.estado_http === null ? 'Sin respuesta' : String(attempt.estado_http));
}

function attemptDetails(attempt: DeliveryAttempt): Html {
  return html`<div class="attempt"><p>${outcome(attempt)} Intento ${attempt.intento} · ${moment(attempt.enviado_en)}${attempt.error && html` · ${attempt.error}`}</p></div>`;
}
