import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { readKey } from './access-key.ts';
import { type Body, correctFactura, correctNotaCredito } from './bodies.ts';
import { Unseen } from './check.ts';
import { saw } from './expectation.ts';
import { readReport, type StateReport } from './report-fields.ts';
import { type Answer, isRecord, type Service } from './service.ts';
import type { Settings } from './settings.ts';
import type { WebhookScene } from './webhook-scene.ts';

/** A document the run has emitted. */
export interface Emitted {
  answer: Answer;
  body: Body;
  key: string;
}

/** What the consult says of a document, as far as it can be read; `report` null when it cannot. */
export interface Settled {
  answer: Answer;
  report: StateReport | null;
}

/** What checks share. Scenes are played once, at the first check that asks for them. */
export interface Context {
  settings: Settings;
  service: Service;
  /** Null without permission to change the webhook. */
  webhook: WebhookScene | null;
  /** A correct factura with a number of its own, changed, and what came of it. */
  emit(change?: (body: Body) => void): Promise<{ answer: Answer; body: Body }>;
  /** The first correct factura and what the service answered, taken or not. */
  first(): Promise<{ answer: Answer; body: Body }>;
  /** The same once it is taken; throws Unseen when the service does not take it, because then nothing can be checked. */
  reference(): Promise<Emitted>;
  /** A factura whose stated total is a dollar off: taken and refused later, or refused at once (A16). */
  wrongSum(): Promise<{ answer: Answer; body: Body; key: string | null }>;
  /** A nota de crédito over the reference factura, changed. */
  notaCredito(change?: (body: Body) => void): Promise<{ answer: Answer; body: Body }>;
  /** The nota de crédito as assumed (A21), taken or not. */
  creditNote(): Promise<{ answer: Answer; body: Body }>;
  /** Asks for the state until it is final or the time is up; remembered unless asked `afresh`. */
  settled(key: string, afresh?: boolean): Promise<Settled>;
}

/** `webhook` must be in force already: the first document's event is looked at. */
export function openContext(settings: Settings, service: Service, webhook: WebhookScene | null): Context {
  // Unused numbers; each run starts elsewhere.
  const next = { '01': randomInt(100_000_000, 900_000_000), '04': randomInt(100_000_000, 900_000_000) };
  const post = async (tipo: '01' | '04', path: string, body: Body) => {
    const answer = await service.ask({ method: 'POST', path, json: body });
    const taken = Number(readKey(createdKey(answer))?.secuencial ?? 0);
    // A number is spent when it was taken, and passed over when the service gave a higher one itself.
    next[tipo] = Math.max(next[tipo], taken + 1);
    return { answer, body };
  };
  const emit: Context['emit'] = async (change = () => {}) => {
    const body = correctFactura(settings, String(next['01']));
    change(body);
    return post('01', '/api/factura/emision', body);
  };
  const first = remember(() => emit());
  const reference = remember(async (): Promise<Emitted> => {
    const { answer, body } = await first();
    const key = createdKey(answer);
    if (key === null) throw new Unseen(`El servicio no aceptó la factura correcta: ${saw(answer)}`);
    return { answer, body, key };
  });
  const notaCredito: Context['notaCredito'] = async (change = () => {}) => {
    const { key } = await reference();
    const parts = readKey(key);
    const number = `${parts?.establecimiento}${parts?.puntoEmision}${parts?.secuencial}`;
    const body = correctNotaCredito(settings, String(next['04']), number);
    change(body);
    return post('04', '/api/credito/emision', body);
  };
  const states = new Map<string, Promise<Settled>>();
  return {
    settings,
    service,
    webhook,
    emit,
    first,
    reference,
    wrongSum: remember(async () => {
      await reference();
      const made = await emit((body) => {
        body.totales = [
          { codigo: '2', codigo_porcentaje: '4', base_imponible: 20, tarifa: 15, valor: 4 },
          { codigo: '2', codigo_porcentaje: '0', base_imponible: 5, tarifa: 0, valor: 0 },
        ];
      });
      return { ...made, key: createdKey(made.answer) };
    }),
    notaCredito,
    creditNote: remember(() => notaCredito()),
    settled(key, afresh = false) {
      const known = (afresh ? undefined : states.get(key)) ?? settle(service, key, settings.waitSeconds);
      states.set(key, known);
      return known;
    },
  };
}

/** The access key of an answer that created a document. */
export function createdKey({ json }: Answer): string | null {
  const made = isRecord(json) && json.creado !== false && json.creado !== 'false';
  return made && readKey(json.claveacceso) ? String(json.claveacceso) : null;
}

/** Plays once and answers the same to everybody, its failure too. */
export function remember<T>(play: () => Promise<T>): () => Promise<T> {
  let played: Promise<T> | undefined;
  return () => {
    played ??= play();
    return played;
  };
}

/** A scene several checks look at, played once in each run. */
export function scene<T>(play: (context: Context) => Promise<T>): (context: Context) => Promise<T> {
  const played = new WeakMap<Context, Promise<T>>();
  return (context) => {
    const known = played.get(context) ?? play(context);
    played.set(context, known);
    return known;
  };
}

async function settle(service: Service, key: string, waitSeconds: number): Promise<Settled> {
  const end = Date.now() + waitSeconds * 1000;
  // Quick at first for the sandbox, patient later for the tax authority.
  for (let pause = 100; ; pause = Math.min(pause * 2, 5_000)) {
    const answer = await service.ask({ method: 'GET', path: `/api/comprobante/consulta/${key}` });
    const report = readReport(answer.json);
    if (report?.final || Date.now() + pause > end) return { answer, report };
    await wait(pause);
  }
}
