import Box from '@mui/material/Box';

interface Props {
  children: string;
  /** How wide it may become. */
  chars?: number;
  /** The tip, when it says more than the text. */
  title?: string;
}

/** A text of one line that is cut where its column ends; it is whole in the tip. */
export function Cut({ children, chars = 32, title = children }: Props) {
  return (
    <Box
      component="span"
      title={title}
      sx={{
        display: 'block',
        maxWidth: `${chars}ch`,
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        whiteSpace: 'nowrap',
      }}
    >
      {children}
    </Box>
  );
}
