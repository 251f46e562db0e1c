declare module '../../platform/events/domain-events.js' {
  interface DomainEvents {
    /**
     * The texts of all pages of a document have been extracted. Emitted once, and again if they are extracted again.
     */
    'file.textsReady': { readonly fileId: number };
  }
}

export {};
