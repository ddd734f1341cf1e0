import type { DocumentNode, OperationDefinitionNode } from 'graphql';

export type Bag = Record<string, unknown>;

export interface GraphqlError {
  message: string;
  path?: readonly (string | number)[] | undefined;
  extensions?: Bag;
}

export interface Operation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Bag;
}

export interface GraphqlAnswer {
  data?: unknown;
  errors?: readonly GraphqlError[];
  extensions?: Bag;
}
