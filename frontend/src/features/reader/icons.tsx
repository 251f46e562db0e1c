import type { ReactNode } from 'react';

/** The icons of the reader's bar, of the same rounded family as those of the other pages, without the component library. */
function icon(shape: ReactNode) {
  return function Icon() {
    return (
      <svg className="z-icon" width="20" height="20" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
        {shape}
      </svg>
    );
  };
}

export const BackIcon = icon(
  <path d="M19 11H7.8l4.9-4.9a1 1 0 0 0-1.4-1.4l-6.6 6.6a1 1 0 0 0 0 1.4l6.6 6.6a1 1 0 0 0 1.4-1.4L7.8 13H19a1 1 0 1 0 0-2z" />,
);
export const PreviousIcon = icon(
  <path d="M14.7 6.7a1 1 0 0 0-1.4 0l-4.6 4.6a1 1 0 0 0 0 1.4l4.6 4.6a1 1 0 0 0 1.4-1.4L10.8 12l3.9-3.9a1 1 0 0 0 0-1.4z" />,
);
export const NextIcon = icon(
  <path d="M9.3 6.7a1 1 0 0 0 0 1.4l3.9 3.9-3.9 3.9a1 1 0 1 0 1.4 1.4l4.6-4.6a1 1 0 0 0 0-1.4l-4.6-4.6a1 1 0 0 0-1.4 0z" />,
);
export const DownloadIcon = icon(
  <path d="M16.6 9H15V4a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v5H7.4a1 1 0 0 0-.7 1.7l4.6 4.6c.4.4 1 .4 1.4 0l4.6-4.6a1 1 0 0 0-.7-1.7zM5 19a1 1 0 0 0 1 1h12a1 1 0 1 0 0-2H6a1 1 0 0 0-1 1z" />,
);
