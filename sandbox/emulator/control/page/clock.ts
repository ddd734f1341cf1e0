import { html } from '../../../../src/domain/text.ts';
import { isoInEcuador } from '../../clock.ts';
import type { World } from '../../world.ts';
import { card, type Form, type View } from './parts.ts';
import { moment } from './words.ts';

const steps = [
  ['60000', '+1 min'],
  ['3600000', '+1 h'],
  ['86400000', '+1 día'],
  ['2592000000', '+30 días'],
] as const;

const rates = [
  ['0', 'Detener'],
  ['1', 'Tiempo real'],
  ['60', '60×'],
] as const;

/** `/pagina/reloj`: the sandbox's own time, set, stepped and run. */
export function clockView(world: World, form: Form): View {
  const now = isoInEcuador(world.clock.now());
  const buttons = (field: string, all: readonly (readonly [string, string])[]) =>
    all.map(([value, name]) => html`<button name="${field}" value="${value}">${name}</button>`);
  const body = html`<h1>Reloj</h1>
<p class="lead">El sandbox vive en su propio tiempo: los reintentos de webhooks, la medianoche y el vencimiento de créditos lo siguen.</p>
<section class="card face"><p class="big">${moment(now)}</p><p class="soft">Ecuador continental (UTC−5) · ${pace(world.clock.rate)}</p></section>
<div class="grid">
${card('Avanzar', form('reloj', html`${buttons('paso', steps)}<button name="medianoche" value="si">A medianoche de Guayaquil</button>`, { kind: 'buttons' }))}
${card('Velocidad', form('reloj', buttons('velocidad', rates), { kind: 'buttons' }))}
${card('Poner en hora', form('reloj', html`<label>Fecha y hora en Ecuador <input type="datetime-local" name="hora" value="${now.slice(0, 16)}" required></label><button>Poner</button>`, { kind: 'buttons', id: 'poner-hora' }))}
</div>`;
  return { title: 'Reloj', section: '/pagina/reloj', body };
}

/** How fast the sandbox's time passes, in words. */
export function pace(rate: number): string {
  if (rate === 0) return 'detenido';
  return rate === 1 ? 'tiempo real' : `${rate}× tiempo real`;
}

const dayMs = 86_400_000;

/** Moves the clock as the form asks; answers false when it asks for nothing that can be done. */
export function moveClock({ clock }: World, asked: Readonly<Record<string, string>>): boolean {
  if (asked.medianoche) {
    const tomorrow = isoInEcuador(new Date(clock.now().getTime() + dayMs)).slice(0, 10);
    clock.set(new Date(`${tomorrow}T00:00:00-05:00`));
    return true;
  }
  if (asked.paso !== undefined && steps.some(([ms]) => ms === asked.paso)) {
    clock.step(Number(asked.paso));
    return true;
  }
  if (asked.velocidad !== undefined && rates.some(([rate]) => rate === asked.velocidad)) {
    clock.run(Number(asked.velocidad));
    return true;
  }
  const hora =
    /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(asked.hora ?? '') && new Date(`${asked.hora?.slice(0, 16)}:00-05:00`);
  if (!hora || Number.isNaN(hora.getTime())) return false;
  clock.set(hora);
  return true;
}
