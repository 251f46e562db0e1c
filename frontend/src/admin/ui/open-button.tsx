import Link from '@mui/material/Link';

interface Props {
  label: string;
  onOpen: () => void;
  children: string;
}

/** Opens a row by keyboard, like a click anywhere in the row. */
export function OpenButton({ label, onOpen, children }: Props) {
  return (
    <Link
      component="button"
      type="button"
      aria-label={label}
      onClick={(event) => {
        event.stopPropagation();
        onOpen();
      }}
      sx={{ textAlign: 'start', overflowWrap: 'anywhere' }}
    >
      {children}
    </Link>
  );
}
