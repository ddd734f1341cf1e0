/**
 * The page's script: asks for the same page every second and takes over what differs, element by element, so
 * that focus, scroll, open details and half-filled fields stay. Forms are sent in place. Without it
 * everything works by ordinary forms and links.
 */
export const script = `'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  const parser = new DOMParser();
  let turn = 0;
  let flash = false;

  // Makes old what fresh is, keeping the elements that stay.
  function take(old, fresh) {
    if (old.isEqualNode(fresh) || old.dataset?.still !== undefined) return;
    if (old.nodeType === Node.TEXT_NODE) { old.data = fresh.data; return; }
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && name !== 'open') old.removeAttribute(name);
    }
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    const named = new Map([...old.children].filter((one) => one.id).map((one) => [one.id, one]));
    let here = old.firstChild;
    for (const child of [...fresh.childNodes]) {
      const twin = child.id ? named.get(child.id) : fits(here, child) ? here : null;
      if (!twin) {
        const added = document.importNode(child, true);
        old.insertBefore(added, here);
        if (flash && added.dataset?.row !== undefined) {
          added.animate([{ backgroundColor: 'var(--fresh)' }, {}], { duration: 1800, easing: 'ease-out' });
        }
        continue;
      }
      if (twin === here) here = here.nextSibling;
      else old.insertBefore(twin, here);
      take(twin, child);
    }
    while (here) { const next = here.nextSibling; here.remove(); here = next; }
  }
  const fits = (a, b) => a && !a.id && a.nodeType === b.nodeType && a.nodeName === b.nodeName;

  async function load(url, options = {}) {
    const mine = ++turn;
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(10000) });
    if (!(response.headers.get('content-type') || '').includes('text/html')) throw new Error('no page');
    const fresh = parser.parseFromString(await response.text(), 'text/html');
    if (mine !== turn) return null;
    // A form's answer says how it went; the page itself is asked for under its own address, filter and all.
    if (options.method) return { response, fresh };
    document.title = fresh.title;
    flash = url === location.href;
    for (const id of ['cabecera', 'resumen', 'vista']) take(byId(id), fresh.getElementById(id));
    return { response, fresh };
  }

  function pulse(alive) {
    const text = alive ? 'En vivo' : 'Sin conexión; reintentando';
    const place = byId('pulso');
    if (place.textContent === text) return;
    place.className = alive ? 'pulse alive' : 'pulse lost';
    place.textContent = text;
  }

  let sending = false;
  async function beat() {
    if (document.visibilityState === 'visible' && !sending) {
      await load(location.href).then(() => pulse(true), () => pulse(false));
    }
    setTimeout(beat, 1000);
  }

  async function send(form, button) {
    const body = new URLSearchParams(new FormData(form, button));
    sending = true;
    try {
      const got = await load(form.action, { method: 'POST', body });
      if (!got) return;
      take(byId('aviso'), got.fresh.getElementById('aviso'));
      if (!got.response.ok) return;
      const inside = form.closest('details');
      if (inside) inside.open = false;
      form.reset();
      await load(location.href);
    } catch { pulse(false); } finally { sending = false; }
  }

  function filter(form) {
    const asked = [...new FormData(form)].filter(([, value]) => value !== '');
    const url = asked.length ? '/?' + new URLSearchParams(asked) : '/';
    history.replaceState(null, '', url);
    load(url, { cache: 'no-store' }).catch(() => pulse(false));
  }

  document.addEventListener('submit', (event) => {
    const form = event.target;
    event.preventDefault();
    if (form.dataset.filter !== undefined) filter(form);
    else send(form, event.submitter);
  });
  let soon;
  const retype = (event) => {
    const form = event.target.form;
    if (!form || form.dataset.filter === undefined) return;
    clearTimeout(soon);
    soon = setTimeout(() => filter(form), 150);
  };
  document.addEventListener('input', retype);
  // An address with a notice is for those without this script.
  if (location.search.includes('aviso=')) history.replaceState(null, '', location.pathname);
  // On a telephone the menu is wider than the screen.
  document.querySelector('#menu [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  document.documentElement.classList.add('live');
  beat();
})();
`;
