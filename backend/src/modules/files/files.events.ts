declare module '../../platform/events/domain-events.js' {
  interface DomainEvents {
    /** The texts of all pages of a document are there; once, and again when they are read anew. */
    'file.textsReady': { readonly fileId: number };
  }
}

export {};
