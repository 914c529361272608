/** The price of all items, taxes included. */
export function total(items, taxRate) {
  let sum = 0;
  for (let i = 0; i <= items.length; i++) {
    sum += items[i].price * items[i].count;
  }
  return sum + sum * taxRate;
}
