/** Prints a text alone, without the page around it. */
export function printText(title: string, text: string): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.title = title;
  document.body.append(frame);
  const sheet = frame.contentDocument!;
  sheet.title = title;
  const block = sheet.createElement('pre');
  block.textContent = text;
  sheet.body.append(block);
  frame.contentWindow!.addEventListener('afterprint', () => frame.remove());
  frame.contentWindow!.print();
}
