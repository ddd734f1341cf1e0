import type { DocumentKind } from '../../../domain/document.ts';
import { inBoth } from '../words.ts';

const sales: Record<DocumentKind, string> = { factura: 'esta venta', 'nota-credito': 'este reembolso' };
const salesInEnglish: Record<DocumentKind, string> = { factura: 'this sale', 'nota-credito': 'this refund' };

export const newNumberWords = inBoth(
  {
    title: (order: string) => `Número nuevo para el pedido ${order}`,
    back: 'Volver al documento',
    before: 'Antes de responder',
    look: (number: string) =>
      `No se sabe si un envío con el número ${number} fue autorizado. Búsquelo en el panel del servicio y en el portal del SRI, por ese número y también por el comprador, el monto y el día.`,
    ifFound: (kind: DocumentKind) => `Si encuentra un comprobante de ${sales[kind]}, no pida otro número:`,
    adopt: 'dé su clave de acceso',
    answers: 'De qué responde usted',
    twice: (kind: DocumentKind) =>
      `Si el comprobante existe de todos modos, ${sales[kind]} queda dos veces ante el SRI. El sistema no puede anular ninguno de los dos: eso se hace a mano en el portal del SRI, si todavía se puede.`,
    asked:
      'Antes de dar el número se pregunta una vez más al servicio por todo lo que se conoce de este documento. Si algo puede ser suyo, no se hace nada y se le dice por qué.',
    gap: (number: string) =>
      `El número ${number} queda sin usar, con su motivo, y eso no se puede deshacer. El pedido toma otro de la serie.`,
    kept: (who: string) =>
      `Quién respondió (${who}), cuándo y lo que dijo el servicio quedan en la historia del documento y en el registro.`,
    vouch: (kind: DocumentKind) =>
      `Busqué en el panel del servicio y en el portal del SRI, y respondo por ello: ${sales[kind]} no tiene ningún comprobante.`,
    number: 'Número que se deja sin usar',
    hint: (number: string) => `Escríbalo usted: ${number}.`,
    submit: 'Responder y facturar con otro número',
    fix: 'No se hizo nada todavía:',
    notVouched: 'Marque que buscó el comprobante y que responde por ello; sin eso no se da otro número.',
    otherNumber: (number: string) => `Lo escrito no es el número de este documento, ${number}.`,
    over: 'Ese documento no necesita un número nuevo, o ya no.',
  },
  {
    title: (order: string) => `New number for order ${order}`,
    back: 'Back to the document',
    before: 'Before you answer for it',
    look: (number: string) =>
      `Nobody knows whether something sent under the number ${number} was authorised. Look for it in the panel of the service and on the SRI’s site, by that number and also by buyer, amount and day.`,
    ifFound: (kind: DocumentKind) =>
      `If you find a document of ${salesInEnglish[kind]}, do not ask for another number:`,
    adopt: 'give its access key',
    answers: 'What you answer for',
    twice: (kind: DocumentKind) =>
      `Should the document exist all the same, ${salesInEnglish[kind]} stands twice with the SRI. The system can void neither: that is done by hand on the SRI’s site, if it still can be.`,
    asked:
      'Before the number is given, the service is asked once more about everything that is known of this document. If anything may be ours, nothing is done, and you are told why.',
    gap: (number: string) =>
      `The number ${number} stays unused, with its reason, and that cannot be taken back. The order takes another one of the series.`,
    kept: (who: string) =>
      `Who answered for it (${who}), when, and what the service said are kept in the document’s history and in the audit log.`,
    vouch: (kind: DocumentKind) =>
      `I have looked in the panel of the service and on the SRI’s site, and I answer for it that ${salesInEnglish[kind]} has no document.`,
    number: 'The number that stays unused',
    hint: (number: string) => `Type it yourself: ${number}.`,
    submit: 'Answer for it and take another number',
    fix: 'Nothing was done yet:',
    notVouched:
      'Tick that there is no document and that you answer for it; no other number is given without that.',
    otherNumber: (number: string) => `What you wrote is not this document’s number, ${number}.`,
    over: 'That document does not need a new number, or no longer.',
  },
);
