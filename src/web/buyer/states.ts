import { type Document, documentNumber } from '../../domain/document.ts';
import { html } from '../../domain/html.ts';
import type { Page } from '../pages.ts';

/** A page for every state in which nothing is asked; each with its HTTP status. */
export interface StatePage extends Page {
  status: number;
}

const page = (status: number, title: string, sentence: string, shop?: string, wait = false): StatePage => ({
  status,
  title,
  ...(shop !== undefined && { shop }),
  ...(wait && { scripts: ['identificacion.js'] }),
  body: html`<div id="estado" role="status"${wait && html` data-wait`}><p>${sentence}</p></div>`,
});

/** For a wrong, an altered and a forgotten link alike: it says nothing about what exists. */
export const wrongLink = (): StatePage =>
  page(
    404,
    'Enlace no válido',
    'Este enlace no corresponde a ningún pedido. Revise que esté completo o pida a la tienda que se lo envíe de nuevo.',
  );

export const expiredLink = (shop: string): StatePage =>
  page(
    410,
    'Este enlace venció',
    'Por seguridad, el enlace para dar su identificación sirve solo unos días. Pida uno nuevo a la tienda si su factura sigue pendiente.',
    shop,
  );

/** Where the factura stands once there is nothing more to ask. */
export function stateOf(document: Document, shop: string): StatePage {
  const number = documentNumber(document);
  switch (document.state) {
    case 'authorized':
      return page(
        200,
        'Su factura ya fue emitida',
        `La factura ${number} de su pedido ${document.orderName} está autorizada por el SRI. El enlace para verla y descargarla está en su pedido de la tienda.`,
        shop,
      );
    case 'cancelled':
      return page(
        410,
        'Ya no hace falta',
        `El pedido ${document.orderName} ya no necesita una factura. Si cree que es un error, escriba a la tienda.`,
        shop,
      );
    case 'rejected':
    case 'manual':
      return page(
        200,
        'La tienda revisa su factura',
        `La factura de su pedido ${document.orderName} necesita la revisión de la tienda. Usted no tiene que hacer nada más.`,
        shop,
      );
    default:
      return page(
        200,
        'Su factura está en camino',
        `La factura de su pedido ${document.orderName} se está emitiendo. Suele tardar menos de un minuto.`,
        shop,
        true,
      );
  }
}

/** Held still, with an answer: the next plan has it, or something else holds the order. */
export const answered = (document: Document, shop: string, waits: boolean): StatePage =>
  page(
    200,
    'Gracias: ya tenemos su identificación',
    waits
      ? `La factura de su pedido ${document.orderName} se está emitiendo. Suele tardar menos de un minuto.`
      : `La tienda revisa otro dato de su pedido ${document.orderName} y emitirá la factura con la identificación que usted dio. No tiene que hacer nada más.`,
    shop,
    waits,
  );
