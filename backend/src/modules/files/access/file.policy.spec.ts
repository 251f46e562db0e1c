import {
  canAccessOriginal,
  fileAbilities,
  folderAbilities,
  guestAbilities,
  guestRights,
  isCountedView,
  isRecorded,
} from './file.policy.js';

describe('fileAbilities', () => {
  const open = { readOnly: false, allowDownload: true, allowText: false, mimeType: 'application/zip' };

  it('allows owner and admins to manage the file and members to read it', () => {
    const all = {
      view: true,
      download: true,
      text: true,
      rename: true,
      move: true,
      delete: true,
      allowDownload: true,
      replace: true,
    };
    const none = { rename: false, move: false, delete: false, allowDownload: false, replace: false };
    expect(fileAbilities({ ...open, role: 'owner' })).toEqual({ ...all, share: true, seeOpenings: true });
    expect(fileAbilities({ ...open, role: 'admin' })).toEqual({ ...all, share: false, seeOpenings: false });
    expect(fileAbilities({ ...open, role: 'member' })).toEqual({ ...all, ...none, share: false, seeOpenings: false });
  });

  it('allows no changes through a mirror', () => {
    expect(fileAbilities({ ...open, role: 'owner', readOnly: true })).toMatchObject({
      rename: false,
      move: false,
      delete: false,
      allowDownload: false,
      replace: false,
      share: false,
    });
  });

  const nothing = { view: false, download: false };
  const apart = { view: true, download: false };
  const all = { view: true, download: true };
  it.each([
    ...(
      [
        'application/pdf',
        'image/png',
        'image/heic',
        'video/mp4',
        'audio/mpeg',
        'text/plain',
        'application/msword',
      ] as const
    ).map((type) => ['member', type, false, apart] as const),
    ...(['image/bmp', 'text/html', 'application/zip'] as const).map(
      (type) => ['member', type, false, nothing] as const,
    ),
    ['admin', 'application/zip', false, all],
    ['admin', 'application/zip', true, nothing],
    ['admin', 'application/pdf', true, apart],
    ['owner', 'application/zip', true, all],
  ] as const)('considers disabled downloads for %s, %s, through a mirror: %s', (role, mimeType, readOnly, expected) => {
    const file = { role, mimeType, readOnly, allowDownload: false };
    expect(fileAbilities({ ...file, allowText: true })).toMatchObject({ ...expected, text: true });
    expect(fileAbilities({ ...file, allowText: false })).toMatchObject({ ...expected, text: expected.download });
  });
});

describe('folderAbilities', () => {
  const plain = { readOnly: false, isMirror: false, depth: 1 };

  it('depends on the role', () => {
    const all = { upload: true, createFolder: true, rename: true, move: true, delete: true };
    const none = { upload: false, createFolder: false, rename: false, move: false, delete: false };
    expect(folderAbilities({ ...plain, role: 'owner' })).toEqual({ ...all, share: true });
    expect(folderAbilities({ ...plain, role: 'admin' })).toEqual({ ...all, share: false });
    expect(folderAbilities({ ...plain, role: 'member' })).toEqual({ ...none, share: false });
  });

  it('forbids subfolders at the fifth level', () => {
    expect(folderAbilities({ ...plain, role: 'owner', depth: 4 }).createFolder).toBe(true);
    expect(folderAbilities({ ...plain, role: 'owner', depth: 5 })).toMatchObject({ createFolder: false, upload: true });
  });

  it('allows only the owner to change a mirror, and no one to change its contents', () => {
    const mirror = { readOnly: true, isMirror: true, depth: 1 };
    expect(folderAbilities({ ...mirror, role: 'owner' })).toEqual({
      upload: false,
      createFolder: false,
      rename: true,
      move: false,
      delete: true,
      share: false,
    });
    expect(folderAbilities({ ...mirror, role: 'admin' })).toMatchObject({ rename: false, delete: false });
    expect(folderAbilities({ ...mirror, isMirror: false, role: 'owner' })).toMatchObject({
      rename: false,
      delete: false,
    });
  });
});

describe('guestRights', () => {
  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
    [false, false, false],
  ])('grant the original if the link (%s) and the file (%s) allow it: %s', (link, file, allowed) => {
    const rights = guestRights({ allowDownload: link }, { allowDownload: file });
    expect(canAccessOriginal({ ...rights, readOnly: false })).toBe(allowed);
  });

  it('grant nothing beyond those of a member, and count', () => {
    const rights = guestRights({ allowDownload: true }, { allowDownload: true });
    const abilities = fileAbilities({ ...rights, readOnly: false, allowText: true, mimeType: 'application/pdf' });
    expect(Object.entries(abilities).filter(([, can]) => can)).toEqual([
      ['view', true],
      ['download', true],
      ['text', true],
    ]);
    expect(isCountedView(rights.role)).toBe(true);
  });
});

describe('isRecorded', () => {
  it.each([
    ['member', true, true],
    ['member', false, false],
    ['admin', true, false],
    ['owner', true, false],
  ] as const)('for a %s in a zone that records reading: %s', (role, recordsReading, expected) => {
    expect(isRecorded({ role, recordsReading })).toBe(expected);
  });
});

describe('guestAbilities', () => {
  it.each([
    ['application/pdf', true, { view: true, download: true, text: true }],
    ['application/pdf', false, { view: true, download: false, text: false }],
    ['video/mp4', true, { view: true, download: true, text: true }],
    ['video/mp4', false, { view: false, download: false, text: false }],
    ['application/zip', true, { view: false, download: true, text: true }],
  ])('of %s with downloads allowed: %s', (mimeType, allowDownload, expected) => {
    expect(guestAbilities({ role: 'member', mimeType, allowDownload, allowText: false })).toEqual(expected);
  });
});
