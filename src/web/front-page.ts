import type { RequestHandler } from 'express';
import { type Html, html } from '../domain/text.ts';
import { notFound } from './endpoints.ts';
import { sendPage } from './pages.ts';

interface Front {
  root: string;
  hasPanel: boolean;
}

export const frontPage = ({ root, hasPanel }: Front): RequestHandler =>
  forBrowsers(200, {
    root,
    title: 'facturapuente',
    body: html`<p>Este servidor emite la factura electrónica de cada pedido pagado en una tienda en línea.</p>
<p class="soft">Si usted compró en una tienda, el enlace a su factura está en su pedido.</p>
${hasPanel && html`<p><a class="button" href="${root}/panel">Abrir el panel</a></p>`}`,
  });

export const panelWithoutUsers = (root: string): RequestHandler =>
  forBrowsers(404, {
    root,
    title: 'El panel no tiene usuarios',
    body: html`<p>Si usted administra este servidor, cree un usuario:</p>
<ol>
<li>Ejecute <code>npx facturapuente hash-password</code> y escriba una contraseña.</li>
<li>Agregue el usuario a <code>panel.users</code> en la configuración; <code>passwordHash</code> es lo que imprimió el comando.</li>
<li>Reinicie <code>facturapuente start</code>.</li>
</ol>`,
  });

/** Programs get the answer of an unknown address. */
function forBrowsers(status: number, page: { root: string; title: string; body: Html }): RequestHandler {
  return (req, res, next) => {
    res.vary('Accept');
    if (req.accepts(['json', 'html']) !== 'html') return notFound(req, res, next);
    sendPage(res, status, page);
  };
}
