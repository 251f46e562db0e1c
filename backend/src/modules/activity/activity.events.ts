/**
 * Names stored for the message text. They are those at the time of the event, so that renaming doesn't rewrite history.
 */
interface ActivityParams {
  'user.registered': Record<string, never>;
  'user.signed_in': Record<string, never>;
  'zone.created': Zone;
  'member.joined': Zone;
  'member.left': Zone;
  /** By the owner; `userId` is the removed member. */
  'member.removed': Zone;
  'member.expired': Zone;
  'folder.created': Folder;
  'folder.renamed': Folder & Renamed;
  'folder.moved': Folder;
  'folder.deleted': Folder;
  /** In the source zone. */
  'mirror.created': Folder & Target;
  /** In the zone that contained the mirror. */
  'mirror.removed': Folder;
  /** To the root or a folder of `targetZoneName`, which can be the same zone. */
  'folder.copied': Folder & Target;
  /** To another zone of the same owner. */
  'folder.transferred': Folder & Target;
  'folder.restored': Folder;
  'folder.purged': Folder;
  'file.uploaded': File;
  /** Its content; the name stays. */
  'file.replaced': File;
  /** An earlier content became the current one. */
  'file.version_restored': File;
  /** An earlier content was deleted permanently. */
  'file.version_deleted': File;
  'file.renamed': File & Renamed;
  'file.moved': File;
  'file.deleted': File;
  'file.copied': File & Target;
  'file.transferred': File & Target;
  'file.restored': File;
  'file.purged': File;
  'items.moved': Items;
  'items.deleted': Items;
  'items.copied': Items & Target;
  'items.transferred': Items & Target;
  'items.restored': Items;
  'items.purged': Items;
  'file.viewed': File;
  'file.downloaded': File;
}

type Zone = { zoneName: string };
type Folder = Zone & { folderName: string };
type File = Zone & { fileName: string };
type Renamed = { before: string };
type Target = { targetZoneName: string };
/** Several files and folders at once; `count` is at least 2. */
type Items = Zone & { count: string };

export type ActivityType = keyof ActivityParams;

/** An event. Users are stored by id only; their names are looked up for display. */
export type ActivityEntry = {
  [T in ActivityType]: {
    type: T;
    params: ActivityParams[T];
    /** Owner of the zone. */
    ownerId?: number | null;
    zoneId?: number | null;
    /** The acting user. */
    userId?: number | null;
    fileId?: number | null;
  };
}[ActivityType];
