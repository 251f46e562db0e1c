/** Prints a text without the page around it. */
export function printText(title: string, text: string): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.title = title;
  document.body.append(frame);
  const frameDocument = frame.contentDocument!;
  frameDocument.title = title;
  const textElement = frameDocument.createElement('pre');
  textElement.textContent = text;
  frameDocument.body.append(textElement);
  frame.contentWindow!.addEventListener('afterprint', () => frame.remove());
  frame.contentWindow!.print();
}
