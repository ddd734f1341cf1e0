import { adoptAction, adoptPage } from './adopt/page.ts';
import { monthPage } from './close/month.ts';
import { closeActions, closePage } from './close/page.ts';
import { deedsPage } from './deeds/page.ts';
import { pdfPage, xmlPage } from './document/files.ts';
import { orderPage } from './document/order-page.ts';
import { documentPage } from './document/page.ts';
import { findPage } from './find/page.ts';
import { identifyAction, identifyPage } from './identify/page.ts';
import { newNumberAction, newNumberPage } from './new-number/page.ts';
import { shopsPage } from './shops/page.ts';
import { todayActions } from './today/actions.ts';
import { todayPage } from './today/page.ts';
import { trendsPage } from './trends/page.ts';
import type { PanelAction, PanelPage } from './visit.ts';

/**
 * Every page of the panel, as data. To add one: write `src/web/panel/<page>/page.ts` that exports a `PanelPage`
 * (visit.ts: path, role, place in the header, `show`), with its texts in both languages beside it (words.ts, `inBoth`),
 * and name it here; what its forms send is a `PanelAction` named below, and a form is written by `actionForm`
 * (forms.ts), which leaves out what the person may not do. A page answers a view, a file or where to go on; header,
 * sign-in, roles, tokens and headers are the frame's (door.ts, frame.ts).
 */
export const panelPages: readonly PanelPage[] = [
  todayPage,
  findPage,
  documentPage,
  pdfPage,
  xmlPage,
  orderPage,
  shopsPage,
  trendsPage,
  closePage,
  monthPage,
  identifyPage,
  adoptPage,
  newNumberPage,
  deedsPage,
];

export const panelActions: readonly PanelAction[] = [
  ...todayActions,
  identifyAction,
  adoptAction,
  newNumberAction,
  ...closeActions,
];
