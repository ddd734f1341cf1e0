import { allOperations } from '../../src/operations/all.ts';
import { panelActions as ownActions, panelPages as ownPages } from '../../src/panel/endpoint.ts';
import { actionsOf, pagesOf } from '../../src/panel/operations.ts';

/** Every page and action of the panel, those of operations included. */
export const panelPages = [...ownPages, ...pagesOf(allOperations)];
export const panelActions = [...ownActions, ...actionsOf(allOperations)];
