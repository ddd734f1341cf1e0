import { dayInEcuador } from '../../clock.ts';
import { exampleFactura } from '../../emission/example.ts';
import { Bytes } from '../../operation.ts';
import { repeatDelivery } from '../../webhooks/queue.ts';
import { announceTest } from '../../webhooks/webhooks.ts';
import type { World } from '../../world.ts';
import { rechargeFrom } from './accounts.ts';
import { moveClock } from './clock.ts';
import { addFault } from './faults.ts';
import type { Notice } from './layout.ts';
import { callOperation } from './own-calls.ts';
import { accountAt } from './words.ts';

type Asked = Readonly<Record<string, string>>;

/** What a form does: a code of `notices` when it is done, or the sentence that says why it is not. */
export type Outcome = { done: keyof typeof notices } | { refused: string };
export type Action = (asked: Asked, params: Asked) => Outcome | Promise<Outcome>;

const notices = {
  ejemplo: 'Factura de ejemplo emitida.',
  falla: 'Falla agregada.',
  'sin-fallas': 'Fallas quitadas.',
  reloj: 'Reloj cambiado.',
  prueba: 'webhook.prueba va en camino.',
  repetida: 'El receptor aceptó la entrega.',
  'repetida-en-vano': 'La entrega se repitió, pero el receptor no la aceptó.',
  reproceso: 'El comprobante se envió otra vez al SRI.',
  recarga: 'Recarga hecha.',
  reinicio: 'El sandbox empezó de nuevo.',
} as const;

/** The sentence for the code in an address; an unknown code says nothing. */
export function noticeOf(code: unknown): Notice | undefined {
  const known = typeof code === 'string' && Object.hasOwn(notices, code);
  if (!known) return undefined;
  return { tone: code === 'repetida-en-vano' ? 'bad' : 'ok', text: notices[code as keyof typeof notices] };
}

/** Every form of the page by its path. */
export function actionsOf(world: World, reset: () => void): Readonly<Record<string, Action>> {
  return {
    '/ejemplo': ({ cuenta }) => emitExample(world, cuenta),
    '/fallas': (asked) => {
      const refused = addFault(world, asked);
      return refused === undefined ? { done: 'falla' } : { refused };
    },
    '/fallas/quitar': () => {
      world.faults.clear();
      return { done: 'sin-fallas' };
    },
    '/reloj': async (asked) => {
      if (!moveClock(world, asked)) return { refused: 'Escriba una fecha y hora válidas.' };
      // What became due is on the page that comes back.
      await world.timers.settled();
      return { done: 'reloj' };
    },
    '/prueba': () => {
      const open = [...world.accounts.values()].filter(({ webhook }) => webhook?.activo);
      for (const account of open) announceTest(world, account);
      return open.length > 0 ? { done: 'prueba' } : { refused: 'Ninguna cuenta tiene un webhook activo.' };
    },
    '/entregas/:entrega/repetir': async (_asked, { entrega = '' }) => {
      const attempt = await repeatDelivery(world, entrega);
      if (!attempt) return { refused: 'Esa entrega no existe o ya no se recuerda.' };
      return { done: attempt.exito ? 'repetida' : 'repetida-en-vano' };
    },
    '/comprobantes/:clave/reprocesar': (_asked, { clave = '' }) => reprocess(world, clave),
    '/recargas': (asked) => {
      const refused = rechargeFrom(world, asked);
      return refused === undefined ? { done: 'recarga' } : { refused };
    },
    '/reiniciar': ({ confirmo }) => {
      if (confirmo !== 'si') return { refused: 'Marque «Sí, borrar todo» para reiniciar.' };
      reset();
      return { done: 'reinicio' };
    },
  };
}

async function emitExample(world: World, place: string | undefined): Promise<Outcome> {
  const account = accountAt(world, place);
  if (!account) return { refused: 'Esa cuenta no existe.' };
  const body = exampleFactura(dayInEcuador(world.clock.now()));
  const answer = (await callOperation(world, account, 'emitir_factura', { body })).body;
  if (answer instanceof Bytes || answer.creado !== true) {
    return { refused: `No se emitió: ${answer instanceof Bytes ? '' : answer.errors}` };
  }
  return { done: 'ejemplo' };
}

async function reprocess(world: World, claveacceso: string): Promise<Outcome> {
  const account = world.accounts.get(world.documents.byKey(claveacceso)?.apiKey ?? '');
  if (!account) return { refused: 'Ese comprobante no existe.' };
  const { body } = await callOperation(world, account, 'reprocesar_comprobante', { body: { claveacceso } });
  if (body instanceof Bytes || body.success !== true) {
    return { refused: body instanceof Bytes ? '' : String(body.message) };
  }
  return { done: 'reproceso' };
}
