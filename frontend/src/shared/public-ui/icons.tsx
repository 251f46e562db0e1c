import type { ReactNode } from 'react';

/** Icons for pages that don't load the component library; the same rounded family, 20 px. */
function createIcon(path: ReactNode) {
  return function Icon() {
    return (
      <svg className="z-icon" width="20" height="20" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
        {path}
      </svg>
    );
  };
}

export const CheckIcon = createIcon(
  <path d="M9 16.2 5.5 12.7a.98.98 0 0 0-1.4 1.4l4.2 4.2c.4.4 1 .4 1.4 0L20.3 7.7a.98.98 0 0 0-1.4-1.4z" />,
);
export const CloseIcon = createIcon(
  <path d="M18.3 5.7a1 1 0 0 0-1.4 0L12 10.6 7.1 5.7a1 1 0 0 0-1.4 1.4l4.9 4.9-4.9 4.9a1 1 0 1 0 1.4 1.4l4.9-4.9 4.9 4.9a1 1 0 0 0 1.4-1.4L13.4 12l4.9-4.9a1 1 0 0 0 0-1.4z" />,
);
export const WarningIcon = createIcon(
  <path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm1 15h-2v-2h2v2zm-1-4a1 1 0 0 1-1-1V8a1 1 0 1 1 2 0v4a1 1 0 0 1-1 1z" />,
);
export const FolderIcon = createIcon(
  <path d="M10.6 4.6A2 2 0 0 0 9.2 4H4a2 2 0 0 0-2 2v12c0 1.1.9 2 2 2h16a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-8z" />,
);
export const FileIcon = createIcon(
  <path d="M14.6 2.6A2 2 0 0 0 13.2 2H6a2 2 0 0 0-2 2v16c0 1.1.9 2 2 2h12a2 2 0 0 0 2-2V8.8a2 2 0 0 0-.6-1.4zM13 8V3.5L18.5 9H14a1 1 0 0 1-1-1zm-4 5h6a1 1 0 1 1 0 2H9a1 1 0 1 1 0-2zm0 4h4a1 1 0 1 1 0 2H9a1 1 0 1 1 0-2z" />,
);
export const DownloadIcon = createIcon(
  <path d="M16.6 9H15V4a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v5H7.4a1 1 0 0 0-.7 1.7l4.6 4.6c.4.4 1 .4 1.4 0l4.6-4.6a1 1 0 0 0-.7-1.7zM5 19a1 1 0 0 0 1 1h12a1 1 0 1 0 0-2H6a1 1 0 0 0-1 1z" />,
);
export const UploadIcon = createIcon(
  <path d="M7.4 10H9v5a1 1 0 0 0 1 1h4a1 1 0 0 0 1-1v-5h1.6a1 1 0 0 0 .7-1.7l-4.6-4.6a1 1 0 0 0-1.4 0L6.7 8.3a1 1 0 0 0 .7 1.7zM5 19a1 1 0 0 0 1 1h12a1 1 0 1 0 0-2H6a1 1 0 0 0-1 1z" />,
);
export const ClockIcon = createIcon(
  <path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 18a8 8 0 1 1 0-16 8 8 0 0 1 0 16zm.8-13H12c-.6 0-1 .4-1 1v4.4c0 .4.2.7.5.9l3.6 2.1a.9.9 0 0 0 .9-1.5L13 12V7.2z" />,
);
export const PeopleIcon = createIcon(
  <path d="M9 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm0 2c-2.7 0-8 1.3-8 4v1c0 .6.4 1 1 1h14c.6 0 1-.4 1-1v-1c0-2.7-5.3-4-8-4zm7.7.1c1.4 1 2.3 2.3 2.3 3.9v2h3c.6 0 1-.4 1-1v-1c0-2.3-3.8-3.6-6.3-3.9zM15 12a4 4 0 0 0 0-8c-.5 0-.9.1-1.3.2a6 6 0 0 1 0 7.6c.4.1.8.2 1.3.2z" />,
);
export const LockIcon = createIcon(
  <path d="M18 8h-1V6A5 5 0 0 0 7 6v2H6a2 2 0 0 0-2 2v10c0 1.1.9 2 2 2h12a2 2 0 0 0 2-2V10a2 2 0 0 0-2-2zm-6 9a2 2 0 1 1 0-4 2 2 0 0 1 0 4zM9 8V6a3 3 0 0 1 6 0v2z" />,
);
export const EmailIcon = createIcon(
  <path d="M20 4H4a2 2 0 0 0-2 2v12c0 1.1.9 2 2 2h16a2 2 0 0 0 2-2V6a2 2 0 0 0-2-2zm-.4 4.3-6.5 4c-.7.4-1.5.4-2.2 0l-6.5-4A.9.9 0 0 1 5.3 6.7L12 11l6.7-4.3a.9.9 0 1 1 .9 1.6z" />,
);
export const MenuIcon = createIcon(
  <path d="M4 18h16a1 1 0 1 0 0-2H4a1 1 0 1 0 0 2zm0-5h16a1 1 0 1 0 0-2H4a1 1 0 1 0 0 2zM3 7c0 .6.4 1 1 1h16a1 1 0 1 0 0-2H4a1 1 0 0 0-1 1z" />,
);
export const StarIcon = createIcon(
  <path d="m12 17.3 4.2 2.5c.7.5 1.7-.2 1.5-1l-1.1-4.7 3.7-3.2c.7-.6.3-1.7-.6-1.8l-4.8-.4L13 4.2a1.06 1.06 0 0 0-2 0L9.1 8.7l-4.8.4c-.9.1-1.3 1.2-.6 1.8l3.7 3.2-1.1 4.7c-.2.8.8 1.5 1.5 1z" />,
);
