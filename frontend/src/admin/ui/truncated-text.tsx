import Box from '@mui/material/Box';

interface Props {
  children: string;
  /** Maximum width in characters. */
  maxChars?: number;
  /** Tooltip, if it says more than the text. */
  tooltip?: string;
}

/** Single-line text, truncated at the end of its column; the tooltip shows it in full. */
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
