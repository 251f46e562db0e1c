import Box from '@mui/material/Box';

interface Props {
  children: string;
  /** How wide it may become. */
  maxChars?: number;
  /** The tip, when it says more than the text. */
  tooltip?: string;
}

/** A text of one line that is cut where its column ends; it is whole in the tip. */
export function TruncatedText({ children, maxChars = 32, tooltip = children }: Props) {
  return (
    <Box
      component="span"
      title={tooltip}
      sx={{
        display: 'block',
        maxWidth: `${maxChars}ch`,
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        whiteSpace: 'nowrap',
      }}
    >
      {children}
    </Box>
  );
}
