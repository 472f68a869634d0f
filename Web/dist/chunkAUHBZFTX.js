var o=e=>navigator.clipboard?.writeText(e).then(()=>!0,()=>!1)??Promise.resolve(!1);export{o as a};
