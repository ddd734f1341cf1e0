import type { Letter } from '../../domain/mail.ts';
import type { Amount } from '../../domain/money.ts';

/** The letter that asks a buyer for the identification. It names nothing the buyer did not give the shop. */
export function letterToBuyer(about: {
  to: string;
  shop: string;
  order: string;
  total: Amount;
  link: string;
  cutOffAt: Date;
}): Letter {
  const { to, shop, order, total, link, cutOffAt } = about;
  return {
    to: [to],
    subject: `Falta un dato para la factura de su pedido ${order}`,
    text: [
      `Gracias por su compra en ${shop}.`,
      `Para emitir la factura de su pedido ${order}, por USD ${total}, hace falta su cédula, RUC o pasaporte y el nombre que debe constar en ella.`,
      `Escríbalo aquí hasta el ${inEcuador(cutOffAt)} (hora de Ecuador):`,
      link,
      'La factura sale apenas lo guarde. El enlace es solo para este pedido: no lo comparta. Si no hizo esta compra, no haga nada.',
    ].join('\n\n'),
  };
}

const words = new Intl.DateTimeFormat('es-EC', {
  ...{ weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' },
  hourCycle: 'h23',
  timeZone: 'America/Guayaquil',
});

/** "viernes, 20 de noviembre, 23:30" */
export const inEcuador = (instant: Date): string => words.format(instant);
