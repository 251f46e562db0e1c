declare module '../../platform/events/domain-events.js' {
  interface DomainEvents {
    /**
     * The texts of all pages of a document have been extracted. Emitted once, and again if they are extracted again.
     */
    'file.textsReady': { readonly fileId: number };
    /** The content of a file was replaced, also by one of its earlier versions; its id, name and place stay. */
    'file.replaced': {
      readonly fileId: number;
      readonly zoneId: number;
      /** Who replaced it. */
      readonly userId: number;
      /** Number of the new content. */
      readonly version: number;
    };
  }
}

export {};
