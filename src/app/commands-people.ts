import { z } from 'zod';
import { isClearable } from '../domain/alerts.ts';
import { owner } from '../domain/scope.ts';
import { probeNow } from '../jobs/account-pause.ts';
import { answerFor } from '../jobs/buyer/answer-for.ts';
import { mailAgain } from '../jobs/buyer/mail-again.ts';
import type { StepDeps } from '../jobs/deps.ts';
import { reprocessByHand } from '../jobs/reprocess-by-hand.ts';
import { type CommandTable, readInput, subjectOf } from './commands-input.ts';

const which = z.strictObject({ document: z.string().min(1).max(80), by: z.string().max(200) });
const text = z.string().max(400).default('');
const identified = z.strictObject({
  ...which.shape,
  type: z.enum(['cedula', 'ruc', 'pasaporte', 'exterior']).nullable().default(null),
  id: text,
  name: text,
  email: text,
});
const paused = z.strictObject({
  account: z.string().max(63),
  ambiente: z.union([z.literal(1), z.literal(2)]).nullable(),
  by: z.string().max(200),
});
const alertName = z.strictObject({
  code: z.string().max(80),
  subject: z.string().max(400),
  by: z.string().max(200),
});

/** The commands by which a person answers what the product cannot decide; see domain/commands.ts. */
export function peopleCommands(steps: StepDeps): CommandTable {
  return {
    async identify(input, { find }) {
      const { document: name, by, ...given } = readInput(identified, input);
      const document = await find({ document: name });
      const subject = subjectOf(document);
      const answered = await answerFor(steps, document, { given, by });
      if (answered.kind === 'refused') return { done: false, says: answered.says, ...subject };
      if (answered.kind === 'wrong')
        return { done: false, says: Object.values(answered.flaws).join(' '), ...subject };
      const says = `La identificación del pedido ${document.orderName} queda guardada y su factura sale enseguida.`;
      return { done: true, says, ...subject, facts: { type: answered.type } };
    },

    async 'mail-buyer'(input, { find }) {
      const document = await find(readInput(which, input));
      const refused = await mailAgain(steps, document);
      const says = refused ?? `El correo para el comprador del pedido ${document.orderName} sale enseguida.`;
      return { done: refused === null, says, ...subjectOf(document) };
    },

    async reprocess(input, { find }) {
      const asked = readInput(which, input);
      const document = await find(asked);
      const refused = await reprocessByHand(steps, document, asked.by);
      const says = refused ?? 'Se pide al servicio que la entregue otra vez al SRI, con su misma clave.';
      return { done: refused === null, says, ...subjectOf(document) };
    },

    async 'probe-account'(input, { ledger }) {
      const { account, ambiente } = readInput(paused, input);
      const pause = await ledger.pauses.get(account, ambiente);
      if (!pause) return { done: false, says: 'Esa cuenta ya no está en pausa.', subject: account };
      await probeNow(steps, pause);
      const says = 'Se prueba la cuenta ahora: si la causa ya no está, lo que espera sale solo.';
      const about = owner.account(account);
      return { done: true, says, subject: account, about, facts: { cause: pause.cause } };
    },

    async 'clear-alert'(input, { ledger }) {
      const { code, subject } = readInput(alertName, input);
      if (!isClearable(code))
        return { done: false, says: `El aviso ${code} termina solo cuando termina su causa.`, subject };
      const found = (await ledger.alerts.open()).find((one) => one.code === code && one.subject === subject);
      if (!found) return { done: false, says: 'Ese aviso no está abierto.', subject };
      await steps.alerts.over({ code, subject });
      return { done: true, says: 'El aviso queda revisado.', subject, about: found.about, facts: { code } };
    },
  };
}
