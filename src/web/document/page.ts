import { ecuadorDay } from '../../domain/calendar.ts';
import { type Document, documentNumber } from '../../domain/document.ts';
import { html } from '../../domain/html.ts';
import { toAmount } from '../../domain/money.ts';
import type { Page } from '../pages.ts';

/** Where the tax authority tells of any document by its access key (portal SRI en línea, "Validez de comprobantes"). */
const sri =
  'https://srienlinea.sri.gob.ec/comprobantes-electronicos-internet/publico/validezComprobantes.jsf';

/** The page around an authorised document: what it is, its two files, and how to verify it. */
export function documentPage(
  document: Document,
  { shop, pdf, xml }: { shop: string; pdf: string; xml: string },
): Page {
  const number = documentNumber(document) ?? '';
  const factura = document.kind === 'factura';
  const title = `${factura ? 'Factura' : 'Nota de crédito'} ${number}`;
  const day =
    document.authorizedAt === null ? document.issueDate : ecuadorDay(new Date(document.authorizedAt));
  return {
    title,
    shop,
    wide: true,
    scripts: ['comprobante.js'],
    body: html`<p class="soft">Autorizada por el SRI${day !== null && html` el <time datetime="${day}">${inWords(day)}</time>`}.</p>
${document.annulledAt !== null && html`<p><strong>Este comprobante figura ANULADO en el SRI y ya no tiene validez. Si su compra sigue en pie, pida otro a la tienda.</strong></p>`}
<dl><dt>Pedido</dt><dd>${document.orderName}</dd><dt>Total</dt><dd>USD ${toAmount(document.total ?? document.charged ?? '0')}</dd></dl>
<div class="row"><a class="button" href="${pdf}">Abrir el PDF</a>
<a class="button plain" href="${pdf}" download="${title}.pdf">Descargar PDF</a>
<a class="button plain" href="${xml}" download="${title}.xml">Descargar XML</a></div>
<h2>Clave de acceso</h2>
<p class="key">${document.accessKey}</p>
<div class="row"><button type="button" class="plain" data-copy="${document.accessKey}" hidden>Copiar la clave</button>
<a class="button plain" href="${sri}" rel="noreferrer">Verificar en el SRI</a></div>
<p id="copiado" role="status"></p>
${document.ambiente === 1 && html`<p class="soft">Este comprobante es de pruebas y no tiene validez tributaria: el SRI no lo muestra en su portal.</p>`}
<div class="onlywide"><iframe src="${pdf}#navpanes=0" title="PDF de la ${factura ? 'factura' : 'nota de crédito'} ${number}" loading="lazy"></iframe></div>`,
  };
}

const words = new Intl.DateTimeFormat('es-EC', { dateStyle: 'long', timeZone: 'UTC' });
const inWords = (day: string): string => words.format(new Date(`${day}T12:00:00Z`));
