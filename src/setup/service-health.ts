import type { InstallItem } from '../domain/install.ts';
import type { DeliveryAttempt, ServiceCalls } from '../service/index.ts';
import { item } from './items.ts';

/** What the service says of itself and of the tax authority behind it (spec, public status route). */
export async function statusItem({
  estadoServicio,
}: Pick<ServiceCalls, 'estadoServicio'>): Promise<InstallItem> {
  const what = 'Estado del servicio y del SRI';
  const answer = await estadoServicio();
  if (answer.kind !== 'status')
    return item('service-status', what, 'warning', {
      cure: 'El servicio no dice cómo está; si las facturas salen, no es nada.',
    });
  const { estado, sri } = answer;
  const parts = {
    servicio: estado,
    'recepción del SRI': sri.recepcion,
    'autorización del SRI': sri.autorizacion,
  };
  const bad = Object.entries(parts).filter(([, word]) => word !== null && word !== 'operativo');
  if (bad.length === 0) return item('service-status', what, 'ok');
  const down = bad.some(([, word]) => word === 'caido');
  return item('service-status', what, down ? 'problem' : 'warning', {
    cure: `${bad.map(([name, word]) => `${name}: ${word}`).join(', ')}. No hay que hacer nada: lo que espera sale solo cuando vuelva.`,
  });
}

/** Whether the service's notices arrive, by the attempts it remembers (spec, `ultimas_entregas`). */
export async function deliveriesItem({
  leerWebhook,
}: Pick<ServiceCalls, 'leerWebhook'>): Promise<InstallItem[]> {
  const answer = await leerWebhook();
  if (answer.kind !== 'webhook' || answer.url === null) return [];
  const what = 'Avisos del servicio';
  const [last] = answer.ultimasEntregas;
  if (last === undefined)
    return [
      item('deliveries', what, 'warning', {
        cure: 'El servicio todavía no ha enviado ninguno: pida en su panel una entrega de prueba (webhook.prueba) y repita.',
      }),
    ];
  if (last.exito !== false)
    return [item('deliveries', `${what}, el último ${last.enviadoEn ?? ''}`.trim(), 'ok')];
  return [item('deliveries', what, 'problem', { cure: whyLost(last) })];
}

function whyLost({ evento, enviadoEn, estadoHttp, error }: DeliveryAttempt): string {
  const when = `El último (${evento ?? 'sin nombre'}, ${enviadoEn ?? 'sin fecha'})`;
  if (estadoHttp === 401)
    return `${when} llegó con otra firma: el secreto del servicio no es el de la configuración; repítalo con «facturapuente install --resend».`;
  if (estadoHttp !== null)
    return `${when} recibió la respuesta ${estadoHttp}: revise que publicUrl lleve a facturapuente y que su proxy deje pasar POST.`;
  return `${when} no llegó (${error ?? 'sin respuesta'}): publicUrl debe abrirse desde internet. Mientras tanto se pregunta por cada documento.`;
}
