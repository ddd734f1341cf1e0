import { readKey } from '../access-key.ts';
import { agrees, type Check, differs, Unseen } from '../check.ts';
import { type Context, createdKey, scene } from '../context.ts';
import { duplicate, emitted, judge, saw } from '../expectation.ts';
import type { Answer } from '../service.ts';

const section = 'Secuenciales';

/** What became of a repeated number: refused at once, refused later, or two documents under one number. */
interface Repeated {
  first: string;
  answer: Answer;
  second: string | null;
  /** The authority's word on the second one; null while it is not final or was never taken. */
  outcome: 'authorised' | 'refused' | null;
}

const repeated = scene(async (context: Context): Promise<Repeated> => {
  const { key: first, body } = await context.reference();
  await context.settled(first);
  const { answer } = await context.emit((fresh) => {
    fresh.emisor.secuencial = body.emisor.secuencial;
  });
  const second = createdKey(answer);
  const report = second ? (await context.settled(second)).report : null;
  const outcome = report?.authorised ? 'authorised' : report?.refused ? 'refused' : null;
  return { first, answer, second, outcome };
});

/** Numbers given and generated, and the same one twice. */
export const sequenceChecks: readonly Check[] = [
  {
    id: 'secuencial-dado',
    section,
    row: 'Issuer block, secuencial',
    title: 'el secuencial dado es el del documento',
    async run(context) {
      const { key, body } = await context.reference();
      const seen = readKey(key)?.secuencial;
      const expected = body.emisor.secuencial;
      return seen === expected ? agrees() : differs(expected, String(seen));
    },
  },
  {
    id: 'secuencial-generado',
    section,
    row: 'Issuer block, secuencial',
    title: 'sin secuencial el servicio da uno, cada vez otro',
    async run(context) {
      await context.reference();
      const numbers: string[] = [];
      for (let turn = 0; turn < 2; turn += 1) {
        const { answer } = await context.emit((body) => {
          delete body.emisor.secuencial;
        });
        const key = createdKey(answer);
        if (!key) return judge(answer, emitted);
        numbers.push(readKey(key)?.secuencial ?? '');
      }
      const [first, second] = numbers;
      return first !== second ? agrees() : differs('dos secuenciales distintos', `dos veces ${first}`);
    },
  },
  {
    id: 'secuencial-repetido',
    section,
    row: 'Errors, 7; Endpoints, POST /api/factura/emision (409)',
    title: 'el mismo número no da dos veces la misma clave de acceso',
    async run(context) {
      const { first, answer, second } = await repeated(context);
      if (!second) return { ...judge(answer, duplicate), ...note(answer, first) };
      if (second === first)
        return differs(duplicate.says, `se aceptó otra vez con la misma clave: ${saw(answer)}`);
      return agrees('modo visto: cada emisión recibe otra clave; decide el SRI');
    },
  },
  {
    id: 'supuesto-secuencial-repetido',
    section,
    row: 'Errors, 7',
    inferred: 'A10',
    title: 'un número ya autorizado no se autoriza otra vez',
    async run(context) {
      const { answer, second, outcome } = await repeated(context);
      if (answer.status === 409) return agrees('se responde 409 en seguida');
      if (!second) return differs('409, o aceptado y rechazado después', saw(answer));
      if (outcome === null) throw new Unseen('El segundo documento no llegó a un estado final a tiempo.');
      return outcome === 'refused'
        ? agrees('se acepta con otra clave y el SRI lo rechaza después')
        : differs(
            '409, o aceptado y rechazado después',
            'aceptado con otra clave y autorizado: dos con un número',
          );
    },
  },
];

function note(answer: Answer, first: string): { note?: string } {
  const { claveacceso } = (answer.json ?? {}) as { claveacceso?: unknown };
  if (answer.status !== 409) return {};
  return {
    note: `modo visto: 409${claveacceso === first ? ' con la clave del primero' : ' con otra clave'}`,
  };
}
