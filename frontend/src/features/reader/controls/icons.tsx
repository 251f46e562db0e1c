import type { ReactNode } from 'react';

/** Icons of the reader's bar: same rounded style as on the other pages, without the component library. */
function createIcon(shape: ReactNode) {
  return function Icon() {
    return (
      <svg className="z-icon" width="20" height="20" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
        {shape}
      </svg>
    );
  };
}

export const BackIcon = createIcon(
  <path d="M19 11H7.8l4.9-4.9a1 1 0 0 0-1.4-1.4l-6.6 6.6a1 1 0 0 0 0 1.4l6.6 6.6a1 1 0 0 0 1.4-1.4L7.8 13H19a1 1 0 1 0 0-2z" />,
);
export const PreviousIcon = createIcon(
  <path d="M14.7 6.7a1 1 0 0 0-1.4 0l-4.6 4.6a1 1 0 0 0 0 1.4l4.6 4.6a1 1 0 0 0 1.4-1.4L10.8 12l3.9-3.9a1 1 0 0 0 0-1.4z" />,
);
export const NextIcon = createIcon(
  <path d="M9.3 6.7a1 1 0 0 0 0 1.4l3.9 3.9-3.9 3.9a1 1 0 1 0 1.4 1.4l4.6-4.6a1 1 0 0 0 0-1.4l-4.6-4.6a1 1 0 0 0-1.4 0z" />,
);
export const ZoomInIcon = createIcon(
  <path d="M18 11h-5V6a1 1 0 1 0-2 0v5H6a1 1 0 1 0 0 2h5v5a1 1 0 1 0 2 0v-5h5a1 1 0 1 0 0-2z" />,
);
export const ZoomOutIcon = createIcon(<path d="M6 11h12a1 1 0 1 1 0 2H6a1 1 0 1 1 0-2z" />);
export const RotateIcon = createIcon(
  <path d="M12 5V2.6c0-.5.6-.7.9-.4l3.5 3.4c.2.2.2.5 0 .7l-3.5 3.4c-.3.4-.9.1-.9-.3V7a5.5 5.5 0 1 0 5.4 6.6 1 1 0 1 1 2 .4A7.5 7.5 0 1 1 12 5z" />,
);
export const FullScreenIcon = createIcon(
  <path d="M5 10a1 1 0 0 1-1-1V5c0-.6.4-1 1-1h4a1 1 0 0 1 0 2H6v3c0 .6-.4 1-1 1zm4 10H5a1 1 0 0 1-1-1v-4a1 1 0 1 1 2 0v3h3a1 1 0 1 1 0 2zm10 0h-4a1 1 0 1 1 0-2h3v-3a1 1 0 1 1 2 0v4c0 .6-.4 1-1 1zm0-10a1 1 0 0 1-1-1V6h-3a1 1 0 1 1 0-2h4c.6 0 1 .4 1 1v4c0 .6-.4 1-1 1z" />,
);
export const SidebarIcon = createIcon(
  <path d="M5 4h3a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a2 2 0 0 1-2-2V6c0-1.1.9-2 2-2zm7 0h7a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-7a1 1 0 0 1-1-1V5c0-.6.4-1 1-1z" />,
);
export const MoreIcon = createIcon(
  <path d="M12 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm0 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm0 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4z" />,
);
export const SearchIcon = createIcon(
  <path d="M10.5 4a6.5 6.5 0 1 0 3.9 11.7l4 4a1 1 0 0 0 1.4-1.4l-4-4A6.5 6.5 0 0 0 10.5 4zm0 2a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z" />,
);
export const UpIcon = createIcon(
  <path d="M6.7 14.7a1 1 0 0 1-1.4-1.4l6-6a1 1 0 0 1 1.4 0l6 6a1 1 0 0 1-1.4 1.4L12 9.4z" />,
);
export const DownIcon = createIcon(
  <path d="M6.7 9.3a1 1 0 0 0-1.4 1.4l6 6a1 1 0 0 0 1.4 0l6-6a1 1 0 0 0-1.4-1.4L12 14.6z" />,
);
export const CloseIcon = createIcon(
  <path d="M6.7 5.3a1 1 0 0 0-1.4 1.4L10.6 12l-5.3 5.3a1 1 0 0 0 1.4 1.4l5.3-5.3 5.3 5.3a1 1 0 0 0 1.4-1.4L13.4 12l5.3-5.3a1 1 0 0 0-1.4-1.4L12 10.6z" />,
);
